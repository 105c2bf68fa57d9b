#include "advice/reading.h"

#include "facts/format.h"

#include <stdarg.h>
#include <stdio.h>

static const struct style plain = {0};

// Text that grows; what does not fit is cut.
struct text {
    char *start;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->start + text->used, READING_SIZE - text->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->used += (size_t)length;
    if (text->used >= READING_SIZE)
        text->used = READING_SIZE - 1;
}

static const struct value *metric_of(const struct result *result, enum metric metric)
{
    return &result->profile.metrics[metric];
}

bool metric_is_bad(const struct run_data *run, const struct result *result, enum metric metric)
{
    const struct value *value = metric_of(result, metric);
    if (!value_known(value))
        return false;
    switch (metric) {
    case GLD_EFFICIENCY:
    case GST_EFFICIENCY:
        return value->number < LOW_EFFICIENCY;
    case DRAM_UTILIZATION:
        return value->number < LOW_DRAM_UTILIZATION && !device_fits_in_l2(&run->device, result->n);
    case ACHIEVED_OCCUPANCY:
    case THEORETICAL_OCCUPANCY:
        return value->number < LOW_OCCUPANCY;
    case LOCAL_MEMORY_OVERHEAD:
    case BRANCH_DIVERGENCE_OVERHEAD:
    case TOTAL_REPLAY_OVERHEAD:
    case SHARED_REPLAY_OVERHEAD:
    case GLOBAL_REPLAY_OVERHEAD:
        return value->number >= HIGH_OVERHEAD;
    default:
        return false;
    }
}

static size_t blocks_of(const struct result *result)
{
    const unsigned *grid = result->launch.grid;
    return (size_t)grid[0] * grid[1] * grid[2];
}

static size_t threads_of(const struct result *result)
{
    const unsigned *block = result->launch.block;
    return blocks_of(result) * block[0] * block[1] * block[2];
}

// How far the metric moved since the step before; 0 when either is not known.
static double moved(const struct result *result, const struct result *before, enum metric metric)
{
    const struct value *now = metric_of(result, metric), *then = metric_of(before, metric);
    return value_known(now) && value_known(then) ? now->number - then->number : 0;
}

static void add_move(struct text *text, const char *what, const struct result *result,
                     const struct result *before, enum metric metric)
{
    char now[FORMAT_SIZE], then[FORMAT_SIZE];
    format_percent(now, metric_of(result, metric)->number);
    format_percent(then, metric_of(before, metric)->number);
    add(text, "%s went from %s to %s", what, then, now);
}

// What the counters say about the change, the strongest cause first. `quiet` when they say nothing.
static void add_cause(struct text *text, const struct run_data *run, const struct result *result,
                      const struct result *before, const char *quiet)
{
    size_t sms = (size_t)run->device.sms;
    if (blocks_of(before) < sms && blocks_of(result) > blocks_of(before))
        add(text, ": %zu threads in %zu blocks keep more of the %zu SMs busy than %zu in %zu did",
            threads_of(result), blocks_of(result), sms, threads_of(before), blocks_of(before));
    else if (moved(result, before, GST_EFFICIENCY) > 10) {
        add(text, ": ");
        add_move(text, "store efficiency", result, before, GST_EFFICIENCY);
        if (moved(result, before, SHARED_REPLAY_OVERHEAD) > 10)
            add(text, ", though bank conflicts came in (shared replay overhead)");
    } else if (moved(result, before, GLD_EFFICIENCY) > 10) {
        add(text, ": ");
        add_move(text, "load efficiency", result, before, GLD_EFFICIENCY);
    } else if (moved(result, before, SHARED_REPLAY_OVERHEAD) < -10) {
        add(text, ": the bank conflicts are gone, shared replay ");
        add_move(text, "overhead", result, before, SHARED_REPLAY_OVERHEAD);
    } else if (moved(result, before, ACHIEVED_OCCUPANCY) > 10) {
        add(text, ": more warps hide the latency, occupancy ");
        add_move(text, "achieved", result, before, ACHIEVED_OCCUPANCY);
    } else {
        add(text, "%s", quiet);
    }
}

// What the counters say about a loss of speed.
static void add_price(struct text *text, const struct result *result, const struct result *before)
{
    if (moved(result, before, GST_EFFICIENCY) < -10) {
        add(text, ": ");
        add_move(text, "store efficiency", result, before, GST_EFFICIENCY);
    } else if (moved(result, before, GLD_EFFICIENCY) < -10) {
        add(text, ": ");
        add_move(text, "load efficiency", result, before, GLD_EFFICIENCY);
    } else if (moved(result, before, TOTAL_REPLAY_OVERHEAD) > 10) {
        add(text, ": ");
        add_move(text, "replay overhead", result, before, TOTAL_REPLAY_OVERHEAD);
    } else if (moved(result, before, ACHIEVED_OCCUPANCY) < -10) {
        add(text, ": fewer warps hide the latency, occupancy ");
        add_move(text, "achieved", result, before, ACHIEVED_OCCUPANCY);
    }
}

static void add_change(struct text *text, const struct run_data *run, const struct result *result,
                       const struct result *before)
{
    char ratio[FORMAT_SIZE];
    if (!value_known(&result->bandwidth_gbs) || !value_known(&before->bandwidth_gbs)) {
        add(text, "Against step %d", before->step);
        add_cause(text, run, result, before, " nothing that is counted moved much");
        add(text, ".");
        return;
    }
    double speed_up = result->bandwidth_gbs.number / before->bandwidth_gbs.number;
    format_ratio(ratio, speed_up >= 1 ? speed_up : 1 / speed_up, &plain);
    if (speed_up > 1.03)
        add(text, "%s the speed of step %d", ratio, before->step);
    else if (speed_up < 0.97)
        add(text, "%s slower than step %d", ratio, before->step);
    else
        add(text, "As fast as step %d, within 3%%", before->step);
    if (speed_up > 1.03)
        add_cause(text, run, result, before, "");
    else if (speed_up < 0.97)
        add_price(text, result, before);
    add(text, ".");
}

static double share_of_copy(const struct run_data *run, const struct result *result)
{
    double copy = bandwidth_gbs(run->n, run->copy.median_ms);
    return copy > 0 ? 100 * result->bandwidth_gbs.number / copy : 0;
}

void read_step(const struct run_data *run, const struct result *result, const struct result *before,
               char text[READING_SIZE])
{
    struct text reading = {.start = text};
    text[0] = '\0';
    if (before) {
        add_change(&reading, run, result, before);
    } else if (value_known(&result->bandwidth_gbs)) {
        char gbs[FORMAT_SIZE], share[FORMAT_SIZE];
        format_number(gbs, result->bandwidth_gbs.number);
        format_percent(share, share_of_copy(run, result));
        add(&reading, "%s GB/s of useful bytes is %s of what the device's own copy moves.", gbs,
            share);
    }
}
