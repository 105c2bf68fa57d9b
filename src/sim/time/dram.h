// What DRAM adds to a launch's time.
#ifndef SIM_DRAM_H
#define SIM_DRAM_H

#include "sim/time/multiprocessor.h"

// The rate in 1e9 bytes a second at which DRAM moves what the L2 reads from and writes to it in this launch.
double dram_gbs(const struct sim_device *device, const struct l2_outcome *l2);

// What a load waits for DRAM in cycles, beyond its turn there: some longer, and more so where DRAM is written too.
struct wait dram_wait(const struct sim_timing *timing, const struct l2_outcome *l2);

// Makes the launch at least as long as DRAM is busy with it: `sm` is what one SM's part of it came to.
void dram_hold(struct sm_outcome *sm, const struct memory_share *memory);

#endif
