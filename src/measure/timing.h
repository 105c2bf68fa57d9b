// How long a launch takes: CUDA events, outside any profiler, after a warm-up.
#ifndef TIMING_H
#define TIMING_H

#include "facts/failure.h"
#include "facts/run.h"

// What is timed: one asynchronous launch on the default stream. Returns the runtime's error.
typedef cudaError_t timed_launch(void *context);

// Called before every wait for a launch, so that a watchdog can tell slow from stuck.
typedef void timing_beat(void *context);

struct timed_work {
    const char *what; // for messages: "step 3"
    timed_launch *launch;
    timing_beat *beat;
    void *context;
    bool brief; // warm up with two launches, however short they are: not for a time that counts
};

// Warms up, then times `reps` launches one by one; reps 0 means as many as fit in a third of a
// second, but 10 at least (and fewer only when 10 would take over 10 seconds, 3 at least). They are queued some at a
// time, so that no time is one that the device waited for the host.
// False with the reason in `failure` when a launch fails.
bool time_launches(const struct timed_work *work, int reps, struct timing *timing,
                   char failure[FAILURE_SIZE]);

// Two events, around work that is given once to the default stream.
struct stopwatch {
    cudaEvent_t start, stop;
};

// Each returns false with the reason in `failure`. stopwatch_stop() waits for the work, says how long
// it took in *ms, and is called even when the work failed: it gives the events back.
bool stopwatch_start(struct stopwatch *watch, char failure[FAILURE_SIZE]);
bool stopwatch_stop(struct stopwatch *watch, double *ms, char failure[FAILURE_SIZE]);

// Seconds of a monotonic clock, for intervals on the host.
double seconds_now(void);

#endif
