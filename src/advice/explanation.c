#include "advice/explanation.h"

#include "facts/format.h"

#include <math.h>
#include <stdio.h>

const enum metric explained[EXPLAINED] = {TIME_MS, BANDWIDTH_GBS, DRAM_UTILIZATION,
                                          ACHIEVED_OCCUPANCY};

void explanation_make(struct explanation *explanation, const struct run *measured,
                      const struct run *predicted)
{
    *explanation = (struct explanation){.measured = measured, .predicted = predicted};
    comparison_make(&explanation->comparison, measured, predicted);
}

// What limits the step, and for how much of the time.
static void name_limiter(char *text, size_t size, const struct limits *limits)
{
    char share[FORMAT_SIZE];
    double busy = limiter_busy(limits);
    format_percent(share, busy >= 0 ? busy : limits->busy_sms);
    const char *name = limiters[limits->limiter].name;
    if (busy >= 0)
        snprintf(text, size, "%s, busy %s of the time", name, share);
    else if (limits->limiter == LIMITER_BLOCKS)
        snprintf(text, size, "%s: %s of the SMs get one", name, share);
    else
        snprintf(text, size, "%s", name);
}

static bool is_far(const struct pair *pair)
{
    if (!pair_is_comparable(pair))
        return false;
    struct difference time = pair_difference(pair, TIME_MS);
    return time.verdict != NOT_COMPARED && fabs(time.ratio - 1) > NEAR_ENOUGH / 100.0;
}

void explanation_sentences(char text[SENTENCES_SIZE], const struct pair *pair)
{
    enum { NEARLY_ALWAYS = 90 }; // percent of the time
    static const char waits[] = " For the rest of the time it waits.";
    static const char misses[] = " The prediction is far from the measured time: the model misses "
                                 "something here, and what it says of the limiter counts for less.";
    const struct limits *limits = &pair->b->limits;
    char limiter[FORMAT_SIZE * 2];
    name_limiter(limiter, sizeof limiter, limits);
    double busy = limiter_busy(limits);
    snprintf(text, SENTENCES_SIZE, "Limited by %s. %s%s%s", limiter,
             limiters[limits->limiter].meaning, busy >= 0 && busy < NEARLY_ALWAYS ? waits : "",
             is_far(pair) ? misses : "");
}
