// What DRAM adds to a launch's time.
#ifndef SIM_DRAM_TIME_H
#define SIM_DRAM_TIME_H

#include "sim/time/multiprocessor.h"

// The bytes that DRAM moves in this launch.
double dram_bytes(const struct l2_outcome *l2);

// The SM cycles for which DRAM is busy with what the L2 reads from and writes to it in this launch, and with sectors that
// come in parts from two warps.
double dram_busy_cycles(const struct sim_device *device, const struct l2_outcome *l2);

// The share of these, 0 to 1, in which DRAM moves anything. While stores are held up it need not: where an H200 takes 46
// % longer to store 16-byte parts of sectors down columns than along rows, dram__cycles_active grows by the 6 % that the
// bytes grow by.
double dram_moving_share(const struct sim_device *device, const struct l2_outcome *l2);

// The cycles, of all SMs together, for which the L2 takes nothing in this launch because such sectors are far from each
// other.
double split_cycles(const struct sim_device *device, const struct l2_outcome *l2);

// How many cycles longer a load waits in the mean, and half of that its spread, where DRAM moves bytes for that share of
// the time, 0 to 1, and turns around between reads and writes: load / sqrt(1 - load) times a constant, the shape of
// dram_copy_N_blocks in the microbenchmarks.
double dram_queue_cycles(const struct sim_timing *timing, const struct l2_outcome *l2, double load);

#endif
