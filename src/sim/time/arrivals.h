// How far apart blocks and warps come to their stores that begin together.
#ifndef SIM_ARRIVALS_H
#define SIM_ARRIVALS_H

#include "sim/state/launch.h"

// How much of what two warps of the first block store side by side comes at different times, in the mean over its stores:
// 0 to 1.
double warps_apart(const struct launch *launch);

// How many blocks are launched while the second of two that began together comes to a store, after the first: in the mean,
// as it waits for the L2 and for DRAM behind what others ask for, which is `waiting` of the time that a block takes. That
// differs from one block to the next as much as it is long, since waits are exponential (in the same copies down the columns,
// from one tile to the one beside it: open_*_threads_apart in the microbenchmarks), but not by more than a random walk does
// while all of the `running` blocks' requests to the L2 are served, so many of each: 184 times the root of these. So many of
// the sectors at the edges of tiles of 32 words are completed by an H200 and an H100 (docs/runs/open-lines.csv: it is 164 to
// 205 there).
double launches_apart(const struct launch *launch, double running, double waiting, double requests);

// The same of two warps of a block: the first and the last of 8 come to a store 0.15 to 0.29 of a block's life apart
// (open_8_warps_* in the microbenchmarks; 0.2 here).
double warp_launches_apart(const struct launch *launch, double running);

#endif
