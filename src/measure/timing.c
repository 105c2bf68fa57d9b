#define _POSIX_C_SOURCE 200809L // clock_gettime
#include "measure/timing.h"

#include "base/platform.h"
#include "facts/median.h"
#include "measure/nvtx_ranges.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_REPS = 100000, LEAST_WARM_UPS = 2, BATCH = 16 };
static const double warm_up_seconds = 0.05; // enough for the clocks to rise from idle
static const double usual_ms = 333, longest_ms = 10000, longest_hold_s = 0.002;

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

// Keeps a stream from its work until enough of it waits there: the GPU is done with a short kernel before the
// host has launched the next, and would wait for that between the events.
struct hold {
    atomic_bool is_released;
    double until; // a launch() that waits for the device must not wait for ever
};

static void CUDART_CB wait_for_release(void *context)
{
    struct hold *hold = context;
    while (!atomic_load(&hold->is_released) && seconds_now() < hold->until)
        ;
}

static bool launch_behind(struct hold *hold, const struct timed_work *work, cudaEvent_t *events,
                          int count, char failure[FAILURE_SIZE])
{
    bool good =
        (platform.simulated || // does its work when it is given
         cuda_ok(cudaLaunchHostFunc(0, wait_for_release, hold), failure, "cudaLaunchHostFunc")) &&
        cuda_ok(cudaEventRecord(events[0], 0), failure, "cudaEventRecord");
    for (int i = 0; good && i < count; i++) {
        work->beat(work->context); // the simulated device runs it now
        good = cuda_ok(work->launch(work->context), failure, "launching %s", work->what) &&
               cuda_ok(cudaEventRecord(events[i + 1], 0), failure, "cudaEventRecord");
    }
    atomic_store(&hold->is_released, true);
    return good;
}

// Times a few launches, of which none waits for the host: an event before the first and one behind each. They
// are awaited one by one, each with a sign of life, so that silence means one of them.
static bool time_batch(const struct timed_work *work, cudaEvent_t *events, float *ms, int count,
                       char failure[FAILURE_SIZE])
{
    struct hold hold = {.until = seconds_now() + longest_hold_s};
    bool good = launch_behind(&hold, work, events, count, failure);
    for (int i = 0; good && i <= count; i++) {
        work->beat(work->context);
        good = cuda_ok(cudaEventSynchronize(events[i]), failure, "running %s", work->what);
    }
    for (int i = 0; good && i < count; i++)
        good = cuda_ok(cudaEventElapsedTime(&ms[i], events[i], events[i + 1]), failure,
                       "cudaEventElapsedTime");
    if (!good)
        (void)cudaDeviceSynchronize(); // the stream may still read `hold`
    return good;
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

static bool time_batches(const struct timed_work *work, float *ms, int reps,
                         char failure[FAILURE_SIZE])
{
    cudaEvent_t events[BATCH + 1] = {NULL};
    bool good = create_events(events, BATCH + 1, failure);
    for (int i = 0; good && i < reps; i += BATCH)
        good = time_batch(work, events, ms + i, reps - i < BATCH ? reps - i : BATCH, failure);
    destroy_events(events, BATCH + 1);
    return good;
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
    float *ms = calloc((size_t)reps, sizeof *ms);
    if (!ms)
        return host_memory_failed(failure, "the timings", (size_t)reps * sizeof *ms);
    range_push("timing");
    bool good = time_batches(work, ms, reps, failure);
    range_pop();
    if (good)
        *timing = timing_of(ms, reps);
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
