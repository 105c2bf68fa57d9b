// The kit's two programs: build/gpu/run on a GPU, build/sim/run on the simulated device. ./run is one
// of them, and hands over to the other when that is the one to run.
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdbool.h>

// Which of the two programs: the one on a GPU, or the one on the simulated device.
enum device_choice { GPU_IF_ANY, GPU_ONLY, SIMULATED_ONLY };

enum { KIT_PATH_SIZE = 4096 + 256 };

// The path of something in the kit's folder, "reference/h200.json", from wherever the program is
// called: the kit is three levels above the program (build/gpu/run). False when it cannot be told.
bool kit_path(const char *inside, char path[KIT_PATH_SIZE]);

// Continues as the other program (the simulated one, or the GPU's) with the same arguments, argv[0]
// to NULL. Returns only when there is no such program beside this one: false.
bool program_become(bool simulated, char **argv);

// Makes sure that this is the program that was chosen, or continues as it; the simulated device will
// be the one named, or the default when the name is NULL. False after a message on standard error
// when the program is not built.
bool program_choose(enum device_choice choice, const char *sim_device, char **argv);

#endif
