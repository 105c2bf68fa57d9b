// The simulated device's side of block_counter.h: which SM a block goes to is a rule of its model, so
// nothing needs to be launched for it.
#include "measure/block_counter.h"

#include <stdio.h>

#include "sim/sim.h"

void block_counter_measure(int ordinal, int sms, const struct launch_record *launched,
                           profiler_launch *launch, void *context, struct sm_blocks *blocks)
{
    (void)ordinal;
    (void)launch;
    (void)context;
    const unsigned *grid = launched->grid;
    *blocks = (struct sm_blocks){.provenance = MODELLED, .sms = sms < MAX_SMS ? sms : MAX_SMS};
    for (int sm = 0; sm < blocks->sms; sm++)
        blocks->blocks[sm] = sim_blocks_on_sm((uint64_t)grid[0] * grid[1] * grid[2], (unsigned)sm);
}
