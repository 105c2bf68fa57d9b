// What ./run trace finds out: everything that a device did for the steps, in order, with its times, and how many of
// a step's blocks ran on the SMs.
#ifndef TRACE_H
#define TRACE_H

#include "facts/activities.h"
#include "facts/inspection.h"
#include "facts/launches.h"

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

#endif
