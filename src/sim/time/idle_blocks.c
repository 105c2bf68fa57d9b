#include "sim/time/idle_blocks.h"

#include <math.h>
#include <stdlib.h>

// Of a launch's parts, some that follow each other.
struct window {
    double blocks, executed, asked;
};

// How many parts have as many blocks as run at a time, or more.
static uint32_t parts_of_window(const struct trace *trace, double running)
{
    return (uint32_t)fmin(TRACE_PARTS, ceil(running / (double)trace->part_blocks));
}

// So many parts from number `first` on, of a launch of that many blocks.
static struct window window_from(const struct trace *trace, uint32_t first, uint32_t count,
                                 double blocks)
{
    struct window window = {0};
    for (uint32_t i = first; i < first + count && i < TRACE_PARTS; i++) {
        window.executed += (double)trace->parts[i].executed;
        window.asked += (double)trace->parts[i].asked;
    }
    double size = (double)trace->part_blocks, left = blocks - first * size;
    window.blocks = fmax(0, fmin(count * size, left));
    return window;
}

static double asked_by_all(const struct trace *trace, double blocks)
{
    return window_from(trace, 0, TRACE_PARTS, blocks).asked;
}

struct idle_blocks idle_alone(const struct trace *trace, double blocks, double running)
{
    struct idle_blocks alone = {0};
    uint32_t count = parts_of_window(trace, running);
    if (!trace->spread || asked_by_all(trace, blocks) == 0)
        return alone;
    for (uint32_t i = 0; i < TRACE_PARTS; i += count) {
        struct window window = window_from(trace, i, count, blocks);
        if (window.asked > 0)
            continue;
        alone.blocks += window.blocks;
        alone.executed += window.executed;
    }
    return alone;
}

// For how many cycles blocks only start, one each `interval`, besides so many in which all is done that is asked for.
static double only_start(const struct trace *trace, double blocks, double running, double interval,
                         double cycles)
{
    double only = 0, asked = asked_by_all(trace, blocks);
    uint32_t count = parts_of_window(trace, running);
    for (uint32_t i = 0; i < TRACE_PARTS && asked > 0; i += count) {
        struct window window = window_from(trace, i, count, blocks);
        only += fmax(0, window.blocks * interval - window.asked / asked * cycles);
    }
    return only;
}

// What becomes of an SM that has so many such blocks, and no others. Returns as sm_simulate() does.
static const char *simulate_idle(const struct sm_work *work, const struct block_trace *block,
                                 uint32_t count, struct sm_outcome *outcome)
{
    struct trace *trace = calloc(1, sizeof *trace);
    struct block_trace *blocks = malloc(count * sizeof *blocks);
    const char *why = sm_no_memory;
    if (trace && blocks) {
        for (uint32_t i = 0; i < count; i++)
            blocks[i] = *block;
        trace->blocks = blocks;
        trace->block_count = count;
        trace->warps = work->trace->warps;
        struct sm_work idle = *work;
        idle.trace = trace;
        idle.blocks = count;
        idle.waits = NULL;
        why = sm_simulate(&idle, outcome);
    }
    free(trace);
    free(blocks);
    return why;
}

const char *idle_add_starts(const struct sm_work *work, double blocks, double running,
                            struct sm_outcome *sm)
{
    enum { WAVES = 6 };
    const struct block_trace *block = trace_idle(work->trace);
    if (!block)
        return NULL;
    struct sm_outcome idle = {0};
    uint32_t count = WAVES * work->resident;
    const char *why = simulate_idle(work, block, count, &idle);
    if (why)
        return why;
    double interval = idle.cycles / count / work->memory.busy_sms;
    sm_go_on(sm, &idle, only_start(work->trace, blocks, running, interval, sm->cycles));
    return NULL;
}
