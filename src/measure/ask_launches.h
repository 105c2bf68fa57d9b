// What the launch() of steps would launch, asked without running anything, in a process of its own: launch() may crash,
// hang or exit.
#ifndef ASK_LAUNCHES_H
#define ASK_LAUNCHES_H

#include "facts/device.h"
#include "facts/launches.h"
#include "facts/run.h"

struct launch_answer {
    struct launch_needs needs;
    char failure
        [COMPLAINT_SIZE]; // why they are not known: what went wrong, and where; "" when they are
};

struct launch_answers {
    struct device device;
    bool no_gpu;                           // no CUDA device at all can be used
    char fatal[FAILURE_SIZE];              // why the device cannot be used; "" when it can
    struct launch_answer steps[MAX_STEPS]; // by the steps' places, of those that were chosen
};

// Asks the steps for matrices of n x n (0: the device's default) on CUDA's device of that number. False when that
// cannot be used: answers->fatal says why.
bool ask_launches(int device, size_t n, const bool chosen[MAX_STEPS],
                  struct launch_answers *answers);

#endif
