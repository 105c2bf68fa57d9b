// What a launch executed and brought to memory, all of it, and what the trace has of that.
#ifndef SIM_LAUNCH_TOTALS_H
#define SIM_LAUNCH_TOTALS_H

#include "sim/state/launch.h"

// What it brought to global and local memory: its loads, its stores, or its atomics, which are neither.
enum traffic { LOADS, STORES, ATOMICS };

struct accesses {
    double sectors, global_sectors, global_bytes;
};

struct accesses accesses_of(const struct launch *launch, enum traffic traffic);

// Instructions of warps.
double executed_by_all(const struct launch *launch);

// How many times as many the traced warps executed as were recorded.
double unrecorded(const struct trace *trace);

#endif
