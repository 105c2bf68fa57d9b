// Instrumented kernels: CUPTI patches their machine code so that it counts at every instruction (SASS
// metrics, cupti_sass_metrics.h).
#ifndef SASS_H
#define SASS_H

#include "measure/instruments.h"

#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_SASS_METRICS = 16 };

struct sass {
    int count;                // of the metrics
    const char *const *names; // CUPTI's; they must last

    // What sass_measure() found out:
    CUcontext context;
    uint32_t device;
    uint64_t ids[MAX_SASS_METRICS]; // CUPTI's, of the names
    size_t record_count;            // one metric of one instruction each, in any order
    CUpti_SassMetrics_Data *records;
    CUpti_SassMetrics_InstanceValue *values; // a record points to its one, of the whole GPU
};

// Counts the metrics in one launch, on device `ordinal`, which is the current one, and waits for it. Once
// a process. False with the reason in `why` when nothing could be counted. sass_free() gives the memory
// back in any case.
bool sass_measure(struct sass *sass, int ordinal, watched_launch *launch, void *context, char *why,
                  size_t size);
void sass_free(struct sass *sass);

#endif
