// What looking closely at steps found out, one after the other: their lines, stalls or activities.
#ifndef INSPECTION_H
#define INSPECTION_H

#include "facts/run.h"

// What is known of every step that was looked at. What was seen follows it in a struct of its own (hotspots.h, stalls.h, trace.h).
// None of it holds pointers: a worker process fills it.
struct inspected {
    int step; // its number
    size_t n;
    enum outcome outcome;           // VERIFIED: what was seen is there
    char complaint[COMPLAINT_SIZE]; // when WRONG or FAILED
};

// What is known of all. The steps follow it there.
struct inspection {
    struct device device;
    size_t n;
    bool no_gpu;              // no CUDA device at all can be used
    char fatal[FAILURE_SIZE]; // why nothing can be seen; "" when it can
    int count;                // of the steps
};

#endif
