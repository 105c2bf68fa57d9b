// Memory as a step uses it, from the kernel down to DRAM: what goes over each way between two units, how much of that
// a unit has itself, and how busy it is. Every figure is a counter's, or follows from counters that are named here.
#ifndef MEMORY_WAYS_H
#define MEMORY_WAYS_H

#include "facts/run.h"

enum memory_unit { UNIT_KERNEL, UNIT_L1, UNIT_L2, UNIT_DRAM, MEMORY_UNITS };

enum memory_way {
    WAY_LOADS,  // kernel and L1
    WAY_STORES, //
    WAY_LOCAL,  //
    WAY_SHARED, // kernel and shared memory
    WAY_L2_READS,
    WAY_L2_WRITES,
    WAY_DRAM_READS,
    WAY_DRAM_WRITES,
    MEMORY_WAYS
};

struct memory_unit_row {
    const char *key, *name;
    enum metric hit_rate, utilization; // METRICS: the unit has none
};

// `requests` and `pieces` are METRICS where nothing counts them. Of pieces, `piece_bytes` go over the way each; 0
// where `bytes` is a counter of its own.
struct memory_way_row {
    const char *key, *name;
    enum memory_unit lower;            // unit; the other is the one before it
    enum { UP, DOWN, BOTH } direction; // of the data
    bool if_used;                      // it is in the chart only where something goes over it
    enum metric requests, pieces, bytes;
    const char *piece; // "sectors"
    int piece_bytes;
};

extern const struct memory_unit_row memory_units[MEMORY_UNITS];
extern const struct memory_way_row memory_ways[MEMORY_WAYS];

// Whether the step's chart has the way.
bool memory_has_way(const struct step_result *step, enum memory_way way);

// The bytes that went over a way in a launch.
struct value memory_bytes(const struct step_result *step, enum memory_way way);

// The same of all of a unit's ways up, in 1e9 bytes a second of the step's time: of L1 and of the L2 sectors of 32
// bytes, of DRAM what it moved. Shared and local memory are none of L1's.
struct value memory_gbs(const struct step_result *step, enum memory_unit unit);

// The value of a metric that a row names; unavailable without a reason where it names none.
struct value memory_value(const struct step_result *step, enum metric metric);

// Why figures of the chart are not known: calls `tell` once for each reason, with what it is of: "l2_read_hits", or
// "l2_read_hits and 3 more".
typedef void memory_teller(void *context, const char *what, const char *why);
void memory_reasons(const struct step_result *step, memory_teller *tell, void *context);

#endif
