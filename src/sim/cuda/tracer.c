// The simulated device's tracer: the runtime tells it what the device did.
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "sim/cuda/instruments.h"
#include "sim/cuda/runtime.h"

static const double ns_per_ms = 1e6;

// Under the runtime's lock.
static struct {
    struct activities *into; // NULL: nobody wants to know
    double origin_ms;
    int range;
} tracing;

void trace_activity(struct activity activity, const char *kernel, double start_ms, const char *why)
{
    struct activities *into = tracing.into;
    if (!into)
        return;
    if (!runtime.model) // the clock goes on for some of what is done only, and so says nothing
        why = "the timing model is off: APODKIT_SIM_MODEL is 0";
    if (*why)
        activity.timed = UNAVAILABLE;
    if (*why && !*into->untimed)
        snprintf(into->untimed, sizeof into->untimed, "%s", why);
    activity.range = tracing.range;
    activity.start_ns = (start_ms - tracing.origin_ms) * ns_per_ms;
    activity.duration_ns = (runtime.clock_ms - start_ms) * ns_per_ms;
    (void)activities_add(into, &activity, kernel);
}

static bool start(struct activities *into, char *why, size_t why_size)
{
    (void)why, (void)why_size;
    pthread_mutex_lock(&runtime.lock);
    tracing.into = into;
    tracing.origin_ms = runtime.clock_ms;
    tracing.range = -1;
    pthread_mutex_unlock(&runtime.lock);
    return true;
}

static void enter(int range)
{
    pthread_mutex_lock(&runtime.lock);
    tracing.range = range;
    pthread_mutex_unlock(&runtime.lock);
}

static double now(void)
{
    pthread_mutex_lock(&runtime.lock);
    double ms = runtime.clock_ms - tracing.origin_ms;
    pthread_mutex_unlock(&runtime.lock);
    return ms * ns_per_ms;
}

static bool stop(char *why, size_t why_size)
{
    (void)why, (void)why_size;
    (void)cudaDeviceSynchronize(); // an error stays with the runtime, for the caller
    pthread_mutex_lock(&runtime.lock);
    activities_sort(tracing.into);
    tracing.into = NULL;
    pthread_mutex_unlock(&runtime.lock);
    return true;
}

const struct tracer sim_tracer = {.start = start, .enter = enter, .now = now, .stop = stop};
