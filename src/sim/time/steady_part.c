#include "sim/time/steady_part.h"

#include <math.h>

enum { STEADY_FROM = 2 }; // times that every slot was filled

int steady_begins(uint32_t launched, unsigned resident)
{
    return launched + 1 == STEADY_FROM * resident;
}

int steady_ends(uint32_t launched, uint32_t traced)
{
    return launched + 1 == traced;
}

double steady_rounds(const struct steady_part *part, const struct snapshot *end, double sectors,
                     double blocks, uint32_t traced, unsigned resident)
{
    double part_sectors = part->to.sectors - part->from.sectors,
           part_blocks = traced - STEADY_FROM * (double)resident;
    if (blocks <= traced)
        return 0;
    double by_blocks = (blocks - traced) / part_blocks;
    if (part_sectors <= 0 || sectors <= 0)
        return by_blocks;
    double by_sectors = (sectors - end->sectors) / part_sectors;
    return fabs(by_sectors - by_blocks) <= by_blocks * resident / part_blocks ? by_sectors
                                                                              : by_blocks;
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
