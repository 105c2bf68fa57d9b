// Stands in for block_counter.c where the toolkit has no CUPTI: nothing is counted.
#include "measure/block_counter.h"

#include <stdio.h>

void block_counter_measure(int ordinal, int sms, const struct launch_record *launched,
                           profiler_launch *launch, void *context, struct sm_blocks *blocks)
{
    (void)ordinal;
    (void)sms;
    (void)launched;
    (void)launch;
    (void)context;
    *blocks = (struct sm_blocks){.provenance = UNAVAILABLE};
    snprintf(blocks->why, sizeof blocks->why, "this program was built without CUPTI");
}
