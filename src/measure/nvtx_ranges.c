#define _POSIX_C_SOURCE 200809L // PATH_MAX, which the nvtx3 of CUDA 12.6 takes to be there
#include "measure/nvtx_ranges.h"

#include "measure/instruments.h"

#include <stdarg.h>
#include <stdio.h>

#if defined(__has_include) && __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#else // there is no toolkit, and so nobody to look
static void nvtxRangePushA(const char *name)
{
    (void)name;
}

static void nvtxRangePop(void)
{
}
#endif

static struct activities *recorded;
static int innermost = -1; // of the recorded ranges, by its place
static int beyond;         // open ranges that found no place

static void record_start(const char *name)
{
    if (recorded->range_count == MAX_RANGES) {
        beyond++;
        return;
    }
    struct activity_range *range = &recorded->ranges[recorded->range_count];
    *range = (struct activity_range){.parent = innermost, .start_ns = instruments.tracer->now()};
    snprintf(range->name, sizeof range->name, "%s", name);
    innermost = recorded->range_count++;
    instruments.tracer->enter(innermost);
}

static void record_end(void)
{
    if (beyond > 0) {
        beyond--;
        return;
    }
    struct activity_range *range = &recorded->ranges[innermost];
    range->end_ns = instruments.tracer->now();
    innermost = range->parent;
    instruments.tracer->enter(innermost);
}

void range_push(const char *format, ...)
{
    char name[RANGE_NAME_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    nvtxRangePushA(name);
    if (recorded)
        record_start(name);
}

void range_pop(void)
{
    if (recorded)
        record_end();
    nvtxRangePop();
}

void ranges_record(struct activities *into)
{
    recorded = into;
    innermost = -1;
    beyond = 0;
}
