// What ./run trace finds out and prints: everything that a device did for the steps, in order, with its
// times, and how many of a step's blocks ran on each SM.
#ifndef TRACE_PAGE_H
#define TRACE_PAGE_H

#include "activities.h"
#include "block_counter.h"
#include "run_data.h"
#include "source_file.h"
#include "style.h"

#include <stdio.h>

// One step's trace. It holds no pointers but the launch's kernel, which is the same in a worker process,
// which fills it.
struct traced_step {
    int step; // its number
    size_t n;
    enum outcome outcome;
    char complaint[COMPLAINT_SIZE]; // when WRONG or FAILED
    struct launch_record launch;    // the verified one
    struct activities activities;   // none when its process ended without a word
    struct sm_blocks blocks;
};

struct trace {
    struct device device;
    size_t n;
    bool no_gpu;              // no CUDA device at all can be used
    char fatal[FAILURE_SIZE]; // why nothing can be traced; "" when it can
    int count;
    struct traced_step steps[MAX_STEPS];
};

// The range that asked for an activity: "timing"; "" when it is not known.
const char *activity_phase(const struct activities *activities, const struct activity *activity);

// NULL when there are times for what was done; else why there are none.
const char *trace_untimed(const struct trace *trace);

// Prints, in at most 120 columns: which device it was, one step's table and blocks, and what the columns
// mean.
void print_trace_device(FILE *file, const struct style *style, const struct trace *trace);
void print_trace_step(FILE *file, const struct style *style, const struct traced_step *step,
                      const struct source_file *source);
void print_trace_legend(FILE *file, const struct trace *trace);

// Writes all as CSV, a row an activity, with a header.
void write_trace_csv(FILE *file, const struct trace *trace);

// All as JSON text, for programs: as docs/json.md describes it, or a timeline in Chrome's trace event format
// (an array), one step behind the other. The caller frees it; NULL when memory ran out or JSON is missing
// (json.h).
char *json_of_trace(const struct trace *trace);
char *timeline_of_trace(const struct trace *trace);

#endif
