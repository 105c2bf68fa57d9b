// What ./run hotspots finds out: each step's source, and at every line that touches memory
// what was moved against the least that would do.
//
// Excess is what lies beyond the ideal: sectors of global and wavefronts of shared memory, one of either
// being one pass more than the bytes need.
#ifndef HOTSPOTS_H
#define HOTSPOTS_H

#include "base/source_lines.h"
#include "facts/inspection.h"

struct hotspot_step {
    struct inspected at;
    struct source_lines lines;
};

struct hotspots {
    struct inspection all;
    struct hotspot_step steps[MAX_STEPS];
};

// All passes of a step, those beyond the ideal, and the access with most of these.
struct hotspot_sum {
    uint64_t passes, excess;
    uint64_t worst_excess;           // of all accesses on the worst line together
    const struct line_access *worst; // on the line with the most excess, the first of such; NULL
};

struct hotspot_sum hotspot_sum(const struct source_lines *lines);

#endif
