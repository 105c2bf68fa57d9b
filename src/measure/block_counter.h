// Who counts the blocks that each SM ran: the interface that cupti/ (a copy of the kernel that
// counts) and src/sim/ (the simulated device) implement. Exactly one of them is linked into a program.
#ifndef BLOCK_COUNTER_H
#define BLOCK_COUNTER_H

#include "facts/launches.h"
#include "measure/profiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_SMS = 512, BLOCKS_WHY_SIZE = FAILURE_SIZE };

struct sm_blocks {
    enum provenance provenance;
    char why[BLOCKS_WHY_SIZE]; // there are none: the reason, and what to do about it
    int sms;
    uint64_t blocks[MAX_SMS]; // of each SM
};

// Counts them for a launch on device `ordinal`, the current one, of `sms` SMs. `launched` is the launch as
// it was recorded before; `launch` makes the same again, where counting takes that.
void block_counter_measure(int ordinal, int sms, const struct launch_record *launched,
                           profiler_launch *launch, void *context, struct sm_blocks *blocks);

#endif
