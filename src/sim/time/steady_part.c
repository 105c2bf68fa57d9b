#include "sim/time/steady_part.h"

#include <math.h>

enum { STEADY_FROM = 2 }; // times that every slot was filled

// The first block of the last ones that fill the SM.
static uint32_t last_wave(uint32_t traced, unsigned resident)
{
    return (traced - 1) / resident * resident;
}

int steady_begins(uint32_t launched, unsigned resident)
{
    return launched == STEADY_FROM * resident;
}

int steady_ends(uint32_t launched, uint32_t traced, unsigned resident)
{
    return launched == last_wave(traced, resident);
}

double steady_rounds(const struct steady_part *part, const struct snapshot *end,
                     const struct sm_done *all, double blocks, uint32_t traced, unsigned resident)
{
    const struct sm_done *from = &part->from.done, *to = &part->to.done;
    double part_blocks = last_wave(traced, resident) - STEADY_FROM * (double)resident;
    if (blocks <= traced)
        return 0;
    if (all->items <= 0 || to->items <= from->items)
        return (blocks - traced) / part_blocks;
    double by_items = fmax(0, all->items - end->done.items) / (to->items - from->items);
    if (to->sectors <= from->sectors)
        return by_items;
    double by_sectors = (all->sectors - end->done.sectors) / (to->sectors - from->sectors);
    return fabs(by_sectors - by_items) <= by_items * resident / (part_blocks + resident)
               ? by_sectors
               : by_items;
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
