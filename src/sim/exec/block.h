// Running a block of threads, and a launch of many.
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include "sim/state/launch.h"

// Whether the block's outcome matters still: no block before it failed.
static inline int launch_wants(const struct launch *launch, uint64_t block)
{
    return block <= atomic_load_explicit(&launch->failed_block, memory_order_relaxed) &&
           !atomic_load_explicit(&launch->is_dependent, memory_order_relaxed);
}

// Runs block `number` with the warps, memory and counters that the worker has put in `block`.
void block_run(struct block *block, uint64_t number);

// launch.c: runs a whole launch over `threads` of the host's threads. The launch's fault says how it went, unless
// it is_dependent: then it has to be run again, with one thread. Returns 0 when the host has no memory
// for it.
int launch_run(struct launch *launch, unsigned threads);

#endif
