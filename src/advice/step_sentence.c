#include "advice/step_sentence.h"

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
    int length = vsnprintf(text->start + text->used, SENTENCE_SIZE - text->used, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->used += (size_t)length;
    if (text->used >= SENTENCE_SIZE)
        text->used = SENTENCE_SIZE - 1;
}

static size_t blocks_of(const struct step_result *result)
{
    const unsigned *grid = result->grid;
    return (size_t)grid[0] * grid[1] * grid[2];
}

static size_t threads_of(const struct step_result *result)
{
    const unsigned *block = result->block;
    return blocks_of(result) * block[0] * block[1] * block[2];
}

// How far the metric moved since the step before; 0 when either is not known.
static double moved(const struct step_result *result, const struct step_result *before,
                    enum metric metric)
{
    const struct value *now = &result->values[metric], *then = &before->values[metric];
    return value_known(now) && value_known(then) ? now->number - then->number : 0;
}

// Says how the metric moved, if it did by more than so many points: up, or for a negative number down.
static bool add_move(struct text *text, const struct step_result *result,
                     const struct step_result *before, enum metric metric, int points,
                     const char *what)
{
    double by = moved(result, before, metric);
    char now[FORMAT_SIZE], then[FORMAT_SIZE];
    if (points > 0 ? by <= points : by >= points)
        return false;
    format_percent(now, result->values[metric].number);
    format_percent(then, before->values[metric].number);
    add(text, ": %s went from %s to %s", what, then, now);
    return true;
}

// What the counters say about the change, the strongest cause first. `quiet` when they say nothing.
static void add_cause(struct text *text, const struct run *run, const struct step_result *result,
                      const struct step_result *before, const char *quiet)
{
    size_t sms = (size_t)run->device.sms;
    if (blocks_of(before) < sms && blocks_of(result) > blocks_of(before))
        add(text, ": %zu threads in %zu blocks keep more of the %zu SMs busy than %zu in %zu did",
            threads_of(result), blocks_of(result), sms, threads_of(before), blocks_of(before));
    else if (add_move(text, result, before, GST_EFFICIENCY, 10, "store efficiency")) {
        if (moved(result, before, SHARED_REPLAY_OVERHEAD) > 10)
            add(text, ", though bank conflicts came in (shared replay overhead)");
    } else if (!add_move(text, result, before, GLD_EFFICIENCY, 10, "load efficiency") &&
               !add_move(text, result, before, SHARED_REPLAY_OVERHEAD, -10,
                         "the bank conflicts are gone, shared replay overhead") &&
               !add_move(text, result, before, ACHIEVED_OCCUPANCY, 10,
                         "more warps hide the latency, occupancy achieved")) {
        add(text, "%s", quiet);
    }
}

// What the counters say about a loss of speed.
static void add_price(struct text *text, const struct step_result *result,
                      const struct step_result *before)
{
    (void)(add_move(text, result, before, GST_EFFICIENCY, -10, "store efficiency") ||
           add_move(text, result, before, GLD_EFFICIENCY, -10, "load efficiency") ||
           add_move(text, result, before, TOTAL_REPLAY_OVERHEAD, 10, "replay overhead") ||
           add_move(text, result, before, ACHIEVED_OCCUPANCY, -10,
                    "fewer warps hide the latency, occupancy achieved"));
}

static void add_change(struct text *text, const struct run *run, const struct step_result *result,
                       const struct step_result *before)
{
    char ratio[FORMAT_SIZE], label[STEP_LABEL_SIZE];
    step_label(before->number, label);
    if (!value_known(&result->values[BANDWIDTH_GBS]) ||
        !value_known(&before->values[BANDWIDTH_GBS])) {
        add(text, "Against %s", label);
        add_cause(text, run, result, before, " nothing that is counted moved much");
        add(text, ".");
        return;
    }
    double speed_up = result->values[BANDWIDTH_GBS].number / before->values[BANDWIDTH_GBS].number;
    format_ratio(ratio, speed_up >= 1 ? speed_up : 1 / speed_up, &plain);
    int change = beyond_noise(speed_up);
    if (change > 0)
        add(text, "%s the speed of %s", ratio, label);
    else if (change < 0)
        add(text, "%s slower than %s", ratio, label);
    else
        add(text, "As fast as %s, within %d%%", label, NOISE_OF_TIME);
    if (change > 0)
        add_cause(text, run, result, before, "");
    else if (change < 0)
        add_price(text, result, before);
    add(text, ".");
}

void step_sentence(const struct run *run, const struct step_result *result,
                   const struct step_result *before, char text[SENTENCE_SIZE])
{
    struct text reading = {.start = text};
    text[0] = '\0';
    if (before) {
        add_change(&reading, run, result, before);
    } else if (value_known(&result->values[BANDWIDTH_GBS])) {
        char gbs[FORMAT_SIZE], share[FORMAT_SIZE];
        format_number(gbs, result->values[BANDWIDTH_GBS].number);
        struct value of_copy = share_of_copy(run, result);
        format_percent(share, of_copy.number);
        if (value_known(&of_copy))
            add(&reading, "%s GB/s of useful bytes is %s of what the device's own copy moves.", gbs,
                share);
        else
            add(&reading, "%s GB/s of useful bytes.", gbs);
    }
}
