// What warps of a step ask of memory, from the simulated device's own record of it.
#ifndef ACCESSES_H
#define ACCESSES_H

#include "sim/sim.h"

#include <stddef.h>
#include <stdint.h>

enum { WARP_LANES = 32 };

// The first access of its kind that the step's first warp makes: every lane takes part.
struct warp_access {
    size_t element
        [WARP_LANES]; // of each lane: its first, in the matrix or in shared memory, in floats
    unsigned passes;  // sectors of global, wavefronts of shared memory
};

// Runs the step on an n x n matrix on the simulated device, on one of the host's threads, and shows its
// accesses to `watcher`. `starts` become the addresses at which the output and the input began. False
// after a message on standard error: there is no such step, or it failed.
int watch_step(int number, size_t n, sim_watcher *watcher, void *context, uint64_t starts[2]);

// Runs the step on an n x n matrix on the simulated device and finds that access. False after a message
// on standard error: there is no such step or access, or the step failed.
int access_of_step(int number, enum sim_access kind, size_t n, struct warp_access *access);

#endif
