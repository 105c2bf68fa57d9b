// What one warp of a step asks of memory, from the simulated device's own record of it.
#ifndef ACCESSES_H
#define ACCESSES_H

#include "sim/sim.h"

#include <stddef.h>
#include <stdint.h>

enum { WARP_LANES = 32 };

// The first access of its kind that the step's first warp makes: every lane takes part.
struct warp_access {
    size_t element
        [WARP_LANES]; // of each lane: its place in the matrix, or in shared memory, in floats
    unsigned passes;  // sectors of global, wavefronts of shared memory
};

// Runs the step on an n x n matrix on the simulated device and finds that access. False after a message
// on standard error: there is no such step or access, or the step failed.
int access_of_step(int number, enum sim_access kind, size_t n, struct warp_access *access);

#endif
