// How far apart blocks and warps come to their stores that begin together.
#ifndef SIM_ARRIVALS_H
#define SIM_ARRIVALS_H

#include "base/sim_devices.h"
#include "sim/state/launch.h"

// How much of what two warps of the first block store side by side comes at different times, so that it does not join on its way
// out of an SM, in the mean over its stores: 0 to 1. Of tiles of which only a block's warps share sectors
// (docs/runs/own-sectors.csv) 0.60 to 0.92 of the parts do not join where each warp stores 4 times or more and they have not met:
// here it is 0.73 with 4 stores and 0.85 with many. Where it stores once or twice that depends on what it waits for before
// (docs/runs/warps-apart.csv): 0.87 to 0.99 do not join where DRAM brings each warp lines of its own, and 0.16 to 0.6 where it
// brings all warps the same ones; here as much of 0.85 as DRAM brings the share `missing`, 0 to 1, of what is loaded, and as the
// next warp asks for other lines, beside what comes too late for others' in the simulated SM. If warps passed on what they
// loaded before, 0.16 to 0.67 do not join, the more the more requests the block stores from one barrier to the next: here
// 1 - exp(-requests / 180). All these are what is left in the end, and are taken for what comes too late even if the unit waits.
double warps_apart(const struct launch *launch, double missing);

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

// As launches_apart(), of `running` blocks that go through rounds on SMs with paces of their own, beside what they are apart else,
// which is less the more rounds they have: 0.04 of their lives. rounds_scattered_*_1_waves_blocks_apart are 0.032 to 0.041
// of the rounds.
double paces_apart(double running);

// As launches_apart(), of `running` blocks on so many SMs, all of which run at once and meet in each of their rounds: no more than
// this, however long they wait. Of 32 rounds of blocks that store parts of sectors of which the next one has the rest two side by
// side are 0.1 to 0.4 rounds apart in the mean where an SM has one block, 0.3 to 0.7 where it has two, 0.7 to 1.4 of four and 1.2
// to 2.3 of eight, and 0.5 to 0.7 of four or eight where they share nothing (panels_*, of an H200); of 400 rounds that DRAM
// limits, in which none meet, a tenth of the blocks is 1.0 to 1.7 % faster than the mean and another as much slower (pace_dram_*,
// but for 8 blocks of an H100). Here it is the root of the sum of the squares of 0.04 x blocks an SM / sqrt(rounds) and 0.01, of
// `running`. How it is where other blocks follow was not measured.
double meetings_apart(double running, double sms, double rounds);

// Whether the first block's first warp stores after it met others.
int stores_after_meeting(const struct launch *launch);

// How far apart two warps of a block come to their stores, in the mean, which take so long until they have stored, in whatever
// unit; if they go through so many rounds, as much less of it as in a random walk. DRAM brings such a share of what they load. Of
// 8 warps the first and the last come 0.15 to 0.29 of a block's life apart (open_8_warps_* in the microbenchmarks), and two that
// share a sector 0.016 to 0.14 of copies, the less the more they load side by side, and 0.02 to 0.17 of blocks that only store,
// 0.10 in the mean (own_*_columns_apart). Where each loads lines of its own from DRAM before its first stores they are 0.16 to 0.31
// apart, 0.01 to 0.12 where these lie beside the next warp's, and 0.01 to 0.05 where the L2 has them (apart_*_ns): here, of the
// time until they have stored, which is most of a life, 0.24 for what of 256 bytes the next warp asks for none of, the less the
// more a warp stores, and 0.08 the more it does; 0.09 if nothing is loaded. Where they passed on what they loaded before they
// store they are 0.003 to 0.015 apart (own_*_met_columns_apart; 0.006 here). Any barrier is taken for that: those of
// open_8_warps_*_met_* do not wait for what they loaded as they meet, and are 0.05 to 0.28 apart. Where they meet in each round of
// a loop, it is taken to be as much of a round: that was not measured.
double warp_time_apart(const struct launch *launch, double until_stored, double rounds,
                       double missing);

// How many cycles two warps, or blocks, are apart beside that, in the mean over so many rounds, if none meets others: a random walk
// of what loads from DRAM, or from the L2, differ by in each. Of 256 and 1024 rounds of copies warps are 74 and 80 ns times the
// root of the rounds so far apart, and blocks 100 and 114; of stores in parts both 160 to 330 (rounds_*_apart, of an H200): here it
// is dram_spread, 69 ns, and half of dram_queue, of warps that wait once a round; and a third of what the L2's time differs by at
// most, as two that are anywhere within it are apart.
double walk_cycles(const struct sim_timing *timing, double rounds, double missing,
                   double dram_queue);

// How much two warps lose by the parts of a sector, of what two blocks do that are far apart, as so many of them do not join,
// 0 to 1, and come to the L2 so many cycles apart in the mean: 1 - exp(-cycles / 1430) of these. That is fitted to copies of tiles
// of which only the warps of a block share sectors, down the columns (own_*_copy_columns_shifted beside _aligned, without what is
// completed): these come 35 to 1400 ns apart, and an H200 loses 0.4 to 5.4 cycles a line, 0.43 from this in the quadratic mean.
// Along the rows it loses 0.7 times as much; blocks that only store lose 2.7 to 6.9 cycles where this has 0.9 to 3.7, and those
// whose warps met 0.1 to 1.3 where it has 0 to 0.7.
double warps_lose(double apart, double cycles);

#endif
