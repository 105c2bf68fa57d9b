// What ./run stalls finds out: what the warps of each step wait for, in all and by source line.
#ifndef STALLS_H
#define STALLS_H

#include "facts/inspection.h"
#include "facts/stall_samples.h"

struct stalls_step {
    struct inspected at;
    struct stall_samples samples;
};

struct stalls {
    struct inspection all;
    struct stalls_step steps[MAX_STEPS];
};

#endif
