// Stands in for stall_sampler.c where nothing is sampled: the toolkit has no CUPTI, or the device is the
// simulated one.
#include "measure/stall_sampler.h"

#include <stdio.h>

static const char *why_not(void)
{
    return profiler_simulates()
               ? "warps are sampled by a GPU's hardware, which the simulated device has not\n"
                 "`./run explain --sim` says how busy each part of the GPU is predicted to be, and "
                 "what limits a kernel."
               : "this program was built without CUPTI, which samples them\n"
                 "Install the toolkit with CUPTI, CUDA 12.6 update 2 or newer, and build again.";
}

struct stall_sampler *stall_sampler_open(char *why, size_t why_size)
{
    snprintf(why, why_size, "%s", why_not());
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
    snprintf(why, why_size, "%s", why_not());
    return false;
}

void stall_sampler_close(struct stall_sampler *sampler)
{
    (void)sampler;
}
