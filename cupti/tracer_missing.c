// Stands in for tracer.c where the toolkit has no CUPTI: nothing is traced.
#include "measure/tracer.h"

#include <stdio.h>

static const char why_not[] = "this program was built without CUPTI, which notes what a GPU does\n"
                              "Install the toolkit with CUPTI, CUDA 12.6 update 2 or newer, and "
                              "build again; --sim traces the simulated device.";

bool tracer_start(struct activities *into, char *why, size_t why_size)
{
    (void)into;
    snprintf(why, why_size, "%s", why_not);
    return false;
}

void tracer_enter(int range)
{
    (void)range;
}

double tracer_now(void)
{
    return 0;
}

// Never called: there is nothing to stop.
bool tracer_stop(char *why, size_t why_size)
{
    snprintf(why, why_size, "%s", why_not);
    return false;
}
