// The simulated device's side of stall_sampler.h: it has no schedulers to look at, so nothing is sampled.
#include "../stall_sampler.h"

#include <stdio.h>

static const char why_not[] =
    "warps are sampled by a GPU's hardware, which the simulated device has not\n"
    "`./run explain --sim` says how busy each part of the GPU is predicted to be, and what limits "
    "a "
    "kernel.";

struct stall_sampler *stall_sampler_open(char *why, size_t why_size)
{
    snprintf(why, why_size, "%s", why_not);
    return NULL;
}

// Never called: there is no sampler to call it with.
bool stall_sampler_measure(struct stall_sampler *sampler, int ordinal, profiler_launch *launch,
                           void *context, struct stall_samples *samples, char *why, size_t why_size)
{
    (void)sampler;
    (void)ordinal;
    (void)launch;
    (void)context;
    (void)samples;
    snprintf(why, why_size, "%s", why_not);
    return false;
}

void stall_sampler_close(struct stall_sampler *sampler)
{
    (void)sampler;
}
