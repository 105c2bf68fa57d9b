// Stands in for counters.c where the toolkit has no range profiler: nothing is counted.
#include "measure/profiler.h"

#include <stdio.h>

static const char why_not[] =
    "this program was built without CUPTI's range profiler\n"
    "Install the toolkit with CUPTI, CUDA 12.6 update 2 or newer, and build again.";

struct profiler *profiler_open(const char *const *extras, int extra_count, char *why,
                               size_t why_size)
{
    (void)extras;
    (void)extra_count;
    snprintf(why, why_size, "%s", why_not);
    return NULL;
}

// Never called: there is no profiler to call it with.
void profiler_measure(struct profiler *profiler, profiler_launch *launch, void *context,
                      struct step_result *result)
{
    (void)profiler;
    (void)launch;
    (void)context;
    drop_counts(result, why_not);
}

void profiler_close(struct profiler *profiler)
{
    (void)profiler;
}

bool profiler_simulates(void)
{
    return false;
}

bool profiler_estimates_registers(const void *kernel)
{
    (void)kernel;
    return false;
}

bool profiler_checks_accesses(void)
{
    return false;
}

const char *profiler_report(void)
{
    return "";
}

bool profiler_blocks_of_sms(uint64_t launched, int sms, uint64_t *blocks, char *why,
                            size_t why_size)
{
    (void)launched;
    (void)sms;
    (void)blocks;
    snprintf(why, why_size, "%s", why_not);
    return false;
}
