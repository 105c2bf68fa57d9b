#include "sim/time/steady_part.h"

enum { STEADY_FROM = 2 }; // times that every slot was filled

int steady_begins(uint32_t launched, unsigned resident)
{
    return launched + 1 == STEADY_FROM * resident;
}

int steady_ends(uint32_t launched, uint32_t traced)
{
    return launched + 1 == traced;
}

double steady_rounds(double blocks, uint32_t traced, unsigned resident)
{
    return blocks > traced ? (blocks - traced) / (traced - STEADY_FROM * (double)resident) : 0;
}

void steady_means(const struct steady_part *part, double *active, double *active_warps,
                  double busy[SIM_RESOURCES])
{
    const struct snapshot *from = &part->from, *to = &part->to;
    double time = to->time - from->time, cycles = to->active_cycles - from->active_cycles;
    *active = cycles / time;
    *active_warps = (to->warp_cycles - from->warp_cycles) / cycles;
    for (int i = 0; i < SIM_RESOURCES; i++)
        busy[i] = (to->busy[i] - from->busy[i]) / time;
}
