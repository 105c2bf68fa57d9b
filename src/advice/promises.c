#include "advice/promises.h"

static bool is_promising(const struct step_result *step)
{
    return step->number < OWN_KERNEL && step->outcome == VERIFIED &&
           value_known(&step->values[BANDWIDTH_GBS]);
}

// The next step that is right and whose time is known, or NULL.
static const struct step_result *next_timed(const struct run *run, int place)
{
    const struct step_result *next = verified_after(run, place);
    while (next && !value_known(&next->values[BANDWIDTH_GBS]))
        next = verified_after(run, (int)(next - run->steps));
    return next;
}

int promises_of(const struct run *run, struct promise list[MAX_STEPS])
{
    int count = 0;
    for (int i = 0; i < run->count; i++) {
        const struct step_result *step = &run->steps[i], *next = next_timed(run, i);
        struct advice advice[MAX_ADVICE];
        if (!is_promising(step))
            continue;
        struct findings findings = findings_of(run, step);
        advise(&findings, advice);
        double gain = advice[0].gain;
        bool is_done = gain == 0 || 100 / gain >= AT_THE_ROOF;
        if (is_done && !(count > 0 && next))
            continue;
        struct promise *promise = &list[count++];
        *promise = (struct promise){.step = step, .next = next, .advice = advice[0]};
        if (next)
            promise->came = next->values[BANDWIDTH_GBS].number / step->values[BANDWIDTH_GBS].number;
        promise->changed_more = gain > 0 && beyond_noise(promise->came / gain) > 0;
    }
    return count;
}
