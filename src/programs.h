// The kit's two programs: build/gpu/run on a GPU, build/sim/run on the simulated device. ./run is one
// of them, and hands over to the other when that is the one to run.
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdbool.h>

// Continues as the other program (the simulated one, or the GPU's) with the same arguments, argv[0]
// to NULL. Returns only when there is no such program beside this one: false.
bool program_become(bool simulated, char **argv);

#endif
