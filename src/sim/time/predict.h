// The timing model as a whole: from an executed launch to its time, DRAM traffic and occupancy.
#ifndef SIM_PREDICT_H
#define SIM_PREDICT_H

#include "base/sim_devices.h"
#include "sim/sim.h"
#include "sim/state/launch.h"
#include "sim/time/multiprocessor.h"

// Prepares a launch to be watched: gives it its trace and its L2, which `*l2` keeps from launch to
// launch. `resident` is the blocks that an SM holds. Without memory the launch goes unwatched.
void predict_begin(struct launch *launch, const struct sim_device *device, struct l2 **l2,
                   unsigned resident);

// After the launch: adds what the model makes of it to `sum`, and frees its trace.
// `max_warps` is what an SM holds. `stalls` gets what warps waited for, a sample of each warp of an SM every cycle;
// NULL: nobody asks.
void predict_end(struct launch *launch, const struct sim_device *device, unsigned resident,
                 unsigned max_warps, struct sim_prediction *sum, struct stall_samples *stalls);

// Milliseconds of the device's own copy of `bytes` within its memory, and of its fill: like those of a launch, without what
// the events around them take.
double predict_copy_ms(const struct sim_device *device, size_t bytes);
double predict_fill_ms(const struct sim_device *device, size_t bytes);

#endif
