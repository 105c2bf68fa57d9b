// How far apart blocks and warps come to their stores that begin together.
#ifndef SIM_ARRIVALS_H
#define SIM_ARRIVALS_H

#include "sim/state/launch.h"

// How much of what two warps of the first block store side by side comes at different times, so that it does not join on its way
// out of an SM, in the mean over its stores: 0 to 1. Of tiles of which only a block's warps share sectors
// (docs/runs/own-sectors.csv) 0.60 to 0.92 of the parts do not join where each warp stores 4 times or more and they have not met:
// here it is 0.73 with 4 stores and 0.85 with many. None with 2 at most, as the warps begin together then: sharers_warps_* in the
// microbenchmarks lose nothing. If warps passed on what they loaded before, 0.16 to 0.67 do not join, the more the more requests
// the block stores from one barrier to the next: here 1 - exp(-requests / 180). All these are what is left in the end, and are
// taken for what comes too late for others' even if the unit waits.
double warps_apart(const struct launch *launch);

// How often a warp loads after it has stored, and the first time: of the first block's first one, or 1 if no memory is
// left.
double rounds_of(const struct launch *launch);

// Whether the first block's first warp meets others at a barrier as often as it goes through so many rounds, or more often.
int meets_in_each_round(const struct launch *launch, double rounds);

// How many blocks are launched after one of two that began together came to a store, until the other does: in the mean,
// as they wait for the L2 and for DRAM behind what others ask for, which is `waiting`, 0 to 1, of the time that each of
// `running` blocks takes. Of 12 shapes of tiles of 16 to 64 words, by 32 to 256 threads, the lives of two blocks differ by 0.60
// to 0.78 of it on an H200, and by 0.70 to 1.15 where the warps have met before they store (lives_*_unlike): 0.69 and 0.87
// here; where a block loads and stores in so many rounds, as in a random walk of these. But it is no more than 230
// sqrt(running / requests), for so many `requests` of a block to the L2 (more than 0), as if all that these blocks ask for were
// served in an order that is a random walk of its own: 231 (H100: 233) in the median is how far apart tiles of 32 words are
// (open_32_words_*_apart). Copies that DRAM limits have 181 to 219 (late_*_8_blocks_0_cycles_apart). Where the L2 limits lives
// are 0.7 to 2.4 times as unlike as this says (lives_strips_*).
double launches_apart(double running, double rounds, double waiting, int have_met, double requests);

// Whether the SMs go at paces of their own, where the L2 is busy for that share of the time, with stores and loads that hit
// it, DRAM moves something for a share of it, and moves something or is held up for another, 0 to 1 each. Not where what
// DRAM moves is the limit, as all get the same of it, nor where there is time left, as each gets what it asks for:
// pace_l2_1_blocks, which moves 0.62 (H100: 0.73) of the most that the L2 does, goes on alike to 3 %; of pace_l2_2_blocks,
// at 0.91 and 0.89, the fastest take 0.89 and 0.79 of the mean. Here it is all or nothing.
int have_own_paces(double l2_busy, double dram_moves, double dram_busy);

// Whether the first block's first warp stores after it met others.
int stores_after_meeting(const struct launch *launch);

// As launches_apart(), of two warps of a block. The first and the last of 8 come to a store 0.15 to 0.29 of a block's life
// apart (open_8_warps_* in the microbenchmarks; 0.24 here), and two of those that share a sector 0.016 to 0.17, 0.09 in the mean of
// copies, and 0.10 of blocks that only store (own_*_columns_apart; 0.09 here). Where they passed on what they loaded before they
// store they are 0.003 to 0.015 apart (own_*_met_columns_apart; 0.006 here). Any barrier is taken for that: those of
// open_8_warps_*_met_* do not wait for what they loaded as they meet, and are 0.05 to 0.28 apart (0.016 here). Where they meet in
// each round of a loop, it is taken to be as much of a round: that was not measured.
double warp_launches_apart(double running, double rounds, int meet_in_each, int have_met);

// How much two warps lose by the parts of a sector, of what two blocks do that are far apart, as so many of them do not join,
// 0 to 1, and come to the L2 so many cycles apart in the mean: 1 - exp(-cycles / 1430) of these. That is fitted to copies of tiles
// of which only the warps of a block share sectors, down the columns (own_*_copy_columns_shifted beside _aligned, without what is
// completed): these come 35 to 1400 ns apart, and an H200 loses 0.4 to 5.4 cycles a line, 0.43 from this in the quadratic mean.
// Along the rows it loses 0.7 times as much; blocks that only store lose 2.7 to 6.9 cycles where this has 0.9 to 3.7, and those
// whose warps met 0.1 to 1.3 where it has 0 to 0.7.
double warps_lose(double apart, double cycles);

#endif
