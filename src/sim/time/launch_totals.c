#include "sim/time/launch_totals.h"

#include "sim/exec/trace.h"

struct accesses accesses_of(const struct launch *launch, enum traffic traffic)
{
    struct accesses sum = {0};
    for (const struct function *f = launch->module->functions; f; f = f->next)
        for (size_t i = 0; i < f->length; i++) {
            const struct instruction *in = &f->code[i];
            if (!in->size || traffic != (in->is_atomic ? ATOMICS : in->is_load ? LOADS : STORES))
                continue;
            const struct instruction_counters *counts = &launch->counters[in->index];
            sum.sectors += (double)(counts->sectors + counts->local_sectors);
            sum.global_sectors += (double)counts->sectors;
            sum.global_bytes += (double)counts->bytes;
        }
    return sum;
}

double executed_by_all(const struct launch *launch)
{
    double executed = 0;
    for (uint32_t i = 0; i < launch->module->instruction_count; i++)
        executed += (double)launch->counters[i].executed;
    return executed;
}

double unrecorded(const struct trace *trace)
{
    double executed = 0, recorded = 0;
    for (uint32_t i = 0; i < trace->block_count; i++) {
        executed += trace_executed(trace, &trace->blocks[i]);
        for (uint32_t w = 0; w < trace->warps; w++)
            recorded += trace->blocks[i].warps[w].count;
    }
    return recorded ? executed / recorded : 1;
}
