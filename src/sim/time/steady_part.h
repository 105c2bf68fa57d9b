// Of an SM that runs more blocks than were traced, the part of its time that goes on alike: it begins with the first
// block after every slot was filled twice, and ends with the first of the last ones that were traced and fill the
// slots, so that it is whole waves of blocks however close together these begin. What comes of the others is
// extrapolated from it: by the sectors that they ask for, since blocks at an edge ask for fewer, and may be the ones
// that begin and end it. Blocks may also have nothing to do, or do something else: what they execute says it.
#ifndef SIM_STEADY_PART_H
#define SIM_STEADY_PART_H

#include <stdint.h>

#include "sim/sim.h"

// What an SM has done: sectors that it loaded from global memory and stored there, and PTX instructions of warps.
struct sm_done {
    double sectors, items;
};

// What stands at a moment, to take differences of: cycles, those of all warps together, those in which there is a warp.
struct snapshot {
    double time, warp_cycles, active_cycles, busy[SIM_RESOURCES];
    struct sm_done done;
};

struct steady_part {
    struct snapshot from, to;
};

// Whether it begins, or ends, with the next block's launch: so many were launched before it.
int steady_begins(uint32_t launched, unsigned resident);
int steady_ends(uint32_t launched, uint32_t traced, unsigned resident);

// How many times it goes on beyond what was simulated, up to `end`, of so many blocks that do that in all: 0 where all were
// traced. By the number of blocks where all->items is 0, as it is not known. By items where it has no sectors, or these say
// otherwise by more than the blocks that run at its ends can make of it: then they do not stand for the time.
double steady_rounds(const struct steady_part *part, const struct snapshot *end,
                     const struct sm_done *all, double blocks, uint32_t traced, unsigned resident);

// The share of its time in which there is a warp, how many there are then, and the shares in which each part is busy.
void steady_means(const struct steady_part *part, double *active, double *active_warps,
                  double busy[SIM_RESOURCES]);

#endif
