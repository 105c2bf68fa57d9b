// What DRAM adds to a launch's time.
#ifndef SIM_DRAM_TIME_H
#define SIM_DRAM_TIME_H

#include "sim/time/multiprocessor.h"

// The bytes that DRAM moves in this launch.
double dram_bytes(const struct l2_outcome *l2);

// The SM cycles for which DRAM moves what the L2 reads from it and writes to it in this launch.
double dram_moving_cycles(const struct sim_device *device, const struct l2_outcome *l2);

// The cycles, of all SMs together, for which the L2 takes nothing in this launch and DRAM moves nothing, because sectors come
// in parts from two warps, at different times, and lines are far from each other, or blocks out of step. What the L2 takes to
// note which bytes the parts are falls into that time: many small parts cost nothing more (strips_* in the microbenchmarks, to
// a tenth of what a line takes). Where an H200 takes 46 % longer to store 16-byte parts of sectors down columns than along rows,
// dram__cycles_active grows by the 6 % that the bytes grow by.
double far_split_cycles(const struct sim_device *device, const struct l2_outcome *l2);

// The same of lines that are near others: for these DRAM alone moves nothing, as long as the blocks beside each other are in
// step. Where 1 in 32 of the tiles of order_32x32_tiles_1_later_* has its neighbour in another strip, sectors cost as much as
// where all are far apart (H200: 71 us, all tiles beside each other 1 us, 64 blocks later 60 us), and where 1 in 8 has, 75 us;
// nearly as much of the tiles of 64 x 32, 59 and 65 us, for 19 and 44. A single one in 79 to 313, at the matrix' edges, does
// not: the bound is taken to be 1 in 64. The longer blocks of 32 x 64 and 32 x 128, and most on an H100, lose three quarters
// of that and more with all tiles beside each other, too, as if they fell out of step by themselves: the model does not have
// that.
double near_split_cycles(const struct sim_device *device, const struct l2_outcome *l2);

// How long a launch takes at least that keeps the L2 busy for so many cycles, those in which both are held up among them, and
// DRAM for so many beside these. Where it loads as much as it stores, longer than either: the 3.3rd root of the sum of their
// 3.3rd powers, as now the one waits for the other and now the other way round. From what both_l2_* take it comes to what
// both_dram_* take on an H200 and an H100, to 2 % with halves of sectors, and to 4 % with single ones. Loads alone and stores
// alone keep both busy all the time (dram_read, dram_write).
double dram_beside_l2_cycles(const struct l2_outcome *outcome, double l2, double dram,
                             double held_up);

// How many cycles longer a load waits in the mean, and half of that its spread, where DRAM moves bytes for that share of
// the time, 0 to 1, and turns around between reads and writes: load / sqrt(1 - load) times a constant, the shape of
// dram_copy_N_blocks in the microbenchmarks, times how much of it is as in a copy. Where writes take longer, as they come
// to closed pages, loads wait behind them more often, and longer each time (tile_flight_down_* beside
// tile_flight_along_*).
double dram_queue_cycles(const struct sim_timing *timing, const struct l2_outcome *l2, double load);

// Sets what loads wait for others where DRAM moves bytes for that share of the time: those that miss the L2, and some of those
// that hit it, beside others that miss it (l2_hit_beside_misses_* in the microbenchmarks; why is not known).
void memory_share_at(struct memory_share *share, double dram_load);

#endif
