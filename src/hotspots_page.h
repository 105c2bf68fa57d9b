// What ./run hotspots finds out and prints: each step's source, and at every line that touches memory
// what was moved against the least that would do.
//
// Excess is what lies beyond the ideal: sectors of global and wavefronts of shared memory, one of either
// being one pass more than the bytes need.
#ifndef HOTSPOTS_PAGE_H
#define HOTSPOTS_PAGE_H

#include "run_data.h"
#include "source_file.h"
#include "source_lines.h"
#include "style.h"

#include <stdio.h>

// One step's accesses. It holds no pointers: a worker process fills it.
struct hotspot_step {
    int step; // its number
    size_t n;
    enum outcome outcome;           // VERIFIED: the lines are there
    char complaint[COMPLAINT_SIZE]; // else why not
    struct source_lines lines;
};

struct hotspots {
    struct device device;
    size_t n;
    bool no_gpu;              // no CUDA device at all can be used
    char fatal[FAILURE_SIZE]; // why nothing can be counted; "" when it can
    int count;
    struct hotspot_step steps[MAX_STEPS];
};

// All passes of a step, those beyond the ideal, and the access with most of these.
struct hotspot_sum {
    uint64_t passes, excess;
    uint64_t worst_excess;           // of all accesses on the worst line together
    const struct line_access *worst; // on the line with the most excess, the first of such; NULL
};

struct hotspot_sum hotspot_sum(const struct source_lines *lines);

// Prints, in at most 120 columns: which device counted, one step beside its source (the step's file,
// SOURCE_MISSING where it is gone), and what the words mean.
void print_hotspots_device(FILE *file, const struct style *style, const struct hotspots *hotspots);
void print_hotspots_step(FILE *file, const struct style *style, const struct hotspot_step *step,
                         const struct source_file *source);
void print_hotspots_legend(FILE *file);

// All as JSON text, for programs. The caller frees it; NULL when memory ran out or JSON is missing
// (json.h).
char *json_of_hotspots(const struct hotspots *hotspots);

#endif
