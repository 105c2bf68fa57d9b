// Stands in for line_counter.c where the toolkit has no CUPTI: no line is counted.
#include "measure/line_counter.h"

#include <stdio.h>

static const char why_not[] = "this program was built without CUPTI, which counts source lines\n"
                              "Install the toolkit with CUPTI, CUDA 12.6 update 2 or newer, and "
                              "build again; --sim counts on the simulated device.";

struct line_counter *line_counter_open(char *why, size_t why_size)
{
    snprintf(why, why_size, "%s", why_not);
    return NULL;
}

// Never called: there is no counter to call it with.
bool line_counter_measure(struct line_counter *counter, int ordinal, profiler_launch *launch,
                          void *context, struct source_lines *lines, char *why, size_t why_size)
{
    (void)counter;
    (void)ordinal;
    (void)launch;
    (void)context;
    (void)lines;
    snprintf(why, why_size, "%s", why_not);
    return false;
}

void line_counter_close(struct line_counter *counter)
{
    (void)counter;
}
