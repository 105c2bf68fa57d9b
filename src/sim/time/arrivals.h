// How far apart blocks and warps come to their stores that begin together.
#ifndef SIM_ARRIVALS_H
#define SIM_ARRIVALS_H

#include "sim/state/launch.h"

// How much of what two warps of the first block store side by side comes at different times, in the mean over its stores:
// 0 to 1.
double warps_apart(const struct launch *launch);

// How often a warp loads after it has stored, and the first time: of the first block's first one, or 1 if no memory is
// left.
double rounds_of(const struct launch *launch);

// Whether the first block's first warp meets others at a barrier as often as it goes through so many rounds, or more often.
int meets_in_each_round(const struct launch *launch, double rounds);

// How many blocks are launched after one of two that began together came to a store, until the other does: in the mean,
// as they wait for the L2 and for DRAM behind what others ask for, which is `waiting`, 0 to 1, of the time that a block
// takes. That differs from one block to the next as much as it is long, since waits are exponential; where a block loads
// and stores in so many rounds, as in a random walk of these. But it is no more than 230 sqrt(running / requests), for so
// many `requests` of a block to the L2 (more than 0), as if all that the `running` blocks ask for were served in an order
// that is a random walk of its own: 231 (H100: 233) in the median is how far apart tiles of 32 words are
// (open_32_words_*_apart in docs/runs/micro-*), and 234 how unlike lives are (lives_*_unlike, 248 where warps met), which
// fall less with `requests` than this. Copies that DRAM limits have 181 to 219 (late_*_8_blocks_0_cycles_apart).
double launches_apart(double running, double rounds, double waiting, double requests);

// Whether the SMs go at paces of their own, where the L2 is busy for that share of the time, with stores and loads that hit
// it, DRAM moves something for a share of it, and moves something or is held up for another, 0 to 1 each. Not where what
// DRAM moves is the limit, as all get the same of it, nor where there is time left, as each gets what it asks for:
// pace_l2_1_blocks, which moves 0.62 (H100: 0.73) of the most that the L2 does, goes on alike to 3 %; of pace_l2_2_blocks,
// at 0.91 and 0.89, the fastest take 0.89 and 0.79 of the mean. Here it is all or nothing.
int have_own_paces(double l2_busy, double dram_moves, double dram_busy);

// How often the first block's first warp stores after it met others, until it meets them again or ends: the most that was traced.
double stores_after_meeting(const struct launch *launch);

// As launches_apart(), of two warps of a block: the first and the last of 8 come to a store 0.15 to 0.29 of a block's
// life apart, and as far if they met before they stored (open_8_warps_* in the microbenchmarks; 0.2 here). But those that
// then store 8 and 16 times are 0.14 and 0.06 apart: less as the `stores` are more than 5. Where they meet in each round of
// a loop, it is taken to be as much of a round: that was not measured.
double warp_launches_apart(double running, double rounds, int meet_in_each, double stores);

#endif
