#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "measure/timing.h"

#include "measure/nvtx_ranges.h"

#include <stdlib.h>
#include <time.h>

enum { MAX_REPS = 100000, LEAST_WARM_UPS = 2, IN_FLIGHT = 16 };
static const double warm_up_seconds = 0.05; // enough for the clocks to rise from idle
static const double usual_ms = 333, longest_ms = 10000;

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool launch_and_wait(const struct timed_work *work, char failure[FAILURE_SIZE])
{
    work->beat(work->context);
    if (!cuda_ok(work->launch(work->context), failure, "launching %s", work->what) ||
        !cuda_ok(cudaDeviceSynchronize(), failure, "running %s", work->what))
        return false;
    return true;
}

// Returns the time of one launch in milliseconds, by the host's clock; negative after a failure.
static double warm_up(const struct timed_work *work, char failure[FAILURE_SIZE])
{
    double start = seconds_now(), last = start, now = start;
    double enough = work->brief ? 0 : warm_up_seconds;
    for (int i = 0; i < LEAST_WARM_UPS || now - start < enough; i++) {
        last = now;
        if (!launch_and_wait(work, failure))
            return -1;
        now = seconds_now();
        if (now - start > longest_ms * 1e-3)
            break;
    }
    return (now - last) * 1e3;
}

static int choose_reps(double launch_ms)
{
    double fitting = launch_ms > 0 ? usual_ms / launch_ms : MAX_REPS;
    if (fitting > 100)
        return 100;
    if (fitting > 10)
        return (int)fitting;
    double affordable = longest_ms / launch_ms;
    return affordable >= 10 ? 10 : affordable >= 3 ? (int)affordable : 3;
}

// Waits until the launch before the event has ended, and gives a sign of life.
static bool await_event(const struct timed_work *work, cudaEvent_t event,
                        char failure[FAILURE_SIZE])
{
    work->beat(work->context);
    return cuda_ok(cudaEventSynchronize(event), failure, "running %s", work->what);
}

// One event before each launch and one behind the last: events[i + 1] - events[i] is launch i. A few
// launches are in flight at a time, so that none waits for the host, and silence means one of them.
static bool record_launches(const struct timed_work *work, cudaEvent_t *events, int reps,
                            char failure[FAILURE_SIZE])
{
    for (int i = 0; i <= reps; i++) {
        if (!cuda_ok(cudaEventRecord(events[i], 0), failure, "timing %s: cudaEventRecord",
                     work->what))
            return false;
        if (i >= IN_FLIGHT && !await_event(work, events[i - IN_FLIGHT], failure))
            return false;
        if (i < reps && !cuda_ok(work->launch(work->context), failure, "launching %s", work->what))
            return false;
    }
    return await_event(work, events[reps], failure);
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static bool read_events(cudaEvent_t *events, float *ms, int reps, struct timing *timing,
                        char failure[FAILURE_SIZE])
{
    for (int i = 0; i < reps; i++)
        if (!cuda_ok(cudaEventElapsedTime(&ms[i], events[i], events[i + 1]), failure,
                     "cudaEventElapsedTime"))
            return false;
    qsort(ms, (size_t)reps, sizeof *ms, compare_floats);
    *timing = (struct timing){.median_ms = (ms[(reps - 1) / 2] + ms[reps / 2]) / 2,
                              .min_ms = ms[0],
                              .max_ms = ms[reps - 1],
                              .launches = reps};
    return true;
}

static bool create_events(cudaEvent_t *events, int count, char failure[FAILURE_SIZE])
{
    for (int i = 0; i < count; i++)
        if (!cuda_ok(cudaEventCreate(&events[i]), failure, "cudaEventCreate"))
            return false;
    return true;
}

// After a failure that lost the device this fails too, with the same error: nothing new to say.
static void destroy_events(cudaEvent_t *events, int count)
{
    for (int i = 0; i < count; i++)
        if (events[i])
            (void)cudaEventDestroy(events[i]);
}

bool time_launches(const struct timed_work *work, int reps, struct timing *timing,
                   char failure[FAILURE_SIZE])
{
    range_push("warm-up");
    double launch_ms = warm_up(work, failure);
    range_pop();
    if (launch_ms < 0)
        return false;
    if (reps == 0)
        reps = choose_reps(launch_ms);

    size_t count = (size_t)reps + 1;
    cudaEvent_t *events = calloc(count, sizeof *events);
    float *ms = calloc(count, sizeof *ms);
    bool good = events && ms;
    if (!good)
        host_memory_failed(failure, "the timings", count * (sizeof *events + sizeof *ms));
    good = good && create_events(events, (int)count, failure);
    range_push("timing");
    good = good && record_launches(work, events, reps, failure);
    range_pop();
    good = good && read_events(events, ms, reps, timing, failure);
    if (events)
        destroy_events(events, (int)count);
    free(events);
    free(ms);
    return good;
}

bool stopwatch_start(struct stopwatch *watch, char failure[FAILURE_SIZE])
{
    *watch = (struct stopwatch){0};
    if (cuda_ok(cudaEventCreate(&watch->start), failure, "cudaEventCreate") &&
        cuda_ok(cudaEventCreate(&watch->stop), failure, "cudaEventCreate") &&
        cuda_ok(cudaEventRecord(watch->start, 0), failure, "cudaEventRecord"))
        return true;
    destroy_events((cudaEvent_t[]){watch->start, watch->stop}, 2);
    return false;
}

bool stopwatch_stop(struct stopwatch *watch, double *ms, char failure[FAILURE_SIZE])
{
    float elapsed = 0;
    bool good = cuda_ok(cudaEventRecord(watch->stop, 0), failure, "cudaEventRecord") &&
                cuda_ok(cudaEventSynchronize(watch->stop), failure, "cudaEventSynchronize") &&
                cuda_ok(cudaEventElapsedTime(&elapsed, watch->start, watch->stop), failure,
                        "cudaEventElapsedTime");
    *ms = elapsed;
    destroy_events((cudaEvent_t[]){watch->start, watch->stop}, 2);
    return good;
}
