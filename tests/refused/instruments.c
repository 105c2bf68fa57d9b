// A GPU whose counters are refused, where there is none: the simulated device under a program that takes it for one. It
// stands in the place of that device's instruments.
#include "measure/instruments.h"
#include "base/platform.h"

#include <stdio.h>

#define REFUSED "nobody but the tests has these counters"

const struct platform platform = {.simulated = false};

static struct profiler *refuse(const char *const *extras, int extra_count, char *why,
                               size_t why_size)
{
    (void)extras, (void)extra_count;
    snprintf(why, why_size,
             "cuptiRangeProfilerEnable: error 35, this user may not read the GPU's counters\n"
             "Run as root.");
    return NULL;
}

static const struct counters refusing = {.open = refuse};

const struct instruments instruments = {
    .counters = &refusing,
    .why_not = {.lines = REFUSED,
                .stalls = REFUSED,
                .tracer = REFUSED,
                .chips = REFUSED,
                .blocks_on_sm = REFUSED},
};
