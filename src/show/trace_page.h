// What ./run trace finds out and prints: everything that a device did for the steps, in order, with its
// times, and how many of a step's blocks ran on the SMs.
#ifndef TRACE_PAGE_H
#define TRACE_PAGE_H

#include "facts/activities.h"
#include "facts/launches.h"
#include "verbs/inspect.h"

#include <stdint.h>

enum { MAX_SMS = 512 };

// How a launch's blocks were spread over the SMs.
struct sm_blocks {
    enum provenance provenance; // of the numbers
    uint64_t launched;
    uint64_t most, least; // on the busiest SM, and on the idlest
    int sms;
    uint64_t of_sm[MAX_SMS];
    char why[FAILURE_SIZE]; // what is not known, of_sm or all of it: the reason; else ""
};

// One step's trace. It holds no pointers but the launch's kernel, which is the same in a worker process,
// which fills it.
struct traced_step {
    struct inspected at;
    struct launch_record launch;  // the verified one
    struct activities activities; // none when its process ended without a word
    struct sm_blocks blocks;
};

struct trace {
    struct inspection all;
    struct traced_step steps[MAX_STEPS];
};

// NULL when there are times for what was done; else why there are none.
const char *trace_untimed(const struct trace *trace);

// What struct inspector (inspect.h) asks of a verb; `inspection` is of struct trace and `at` of struct
// traced_step.
void print_trace_device(FILE *file, const struct style *style, const struct inspection *inspection);
void print_trace_step(FILE *file, const struct style *style, const struct inspected *at,
                      const struct source_file *source);
void print_trace_legend(FILE *file, const struct inspection *inspection);

// Writes all as CSV, a row an activity, with a header.
void write_trace_csv(FILE *file, const struct trace *trace);

// All as JSON text, for programs: as docs/json.md describes it, or a timeline in Chrome's trace event format
// (an array), one step behind the other. The caller frees it; NULL when memory ran out or JSON is missing
// (json.h).
char *json_of_trace(const struct trace *trace);
char *timeline_of_trace(const struct trace *trace);

#endif
