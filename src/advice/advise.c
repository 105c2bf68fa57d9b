#include "advice/advice_rules.h"

#include "facts/metric_table.h"

#include <math.h>

enum { SHOWN_ABOVE = 10 }; // percent of the time: what a second advice must save

bool has_limits(const struct findings *f)
{
    return f->limits.limiter != LIMITER_UNKNOWN;
}

double room_of(const struct findings *f)
{
    return value_known(&f->time_ms) && value_known(&f->roof_ms) && f->roof_ms.number > 0
               ? f->time_ms.number / f->roof_ms.number
               : 0;
}

const char *bound_by_key(enum bound_by by)
{
    static const char *const keys[] = {
        [BY_COPY] = "copy", [BY_PEAK] = "peak", [BY_COUNTS] = "counts", [BY_MODEL] = "model"};
    return keys[by];
}

// The share of the time for which the busiest part but DRAM would still be busy.
static double still_busy(const struct findings *f, const struct remedy *remedy)
{
    double most = 0;
    for (enum resource i = 0; i < RESOURCES; i++)
        if (i != RESOURCE_DRAM)
            most = fmax(most, f->limits.busy[i] * remedy->left_of[i]);
    return most / 100 * (remedy->spreads ? f->limits.busy_sms / 100 : 1);
}

static void set_bound(const struct findings *f, const struct remedy *remedy)
{
    struct advice *advice = remedy->advice;
    bool has_roof = value_known(&f->roof_ms);
    if (!value_known(&f->time_ms) || (!has_roof && remedy->left == 0)) {
        advice->bound_ms =
            value_unavailable("%s", value_known(&f->time_ms) ? f->roof_ms.why : f->time_ms.why);
        return;
    }
    double ms = has_roof ? f->roof_ms.number : 0, counted = f->time_ms.number * remedy->left;
    double modelled = f->time_ms.number * still_busy(f, remedy);
    enum provenance provenance = f->time_ms.provenance;
    advice->bound_by = f->roof_is_copys ? BY_COPY : BY_PEAK;
    if (has_roof)
        provenance = weaker(provenance, f->roof_ms.provenance);
    if (counted > ms) {
        ms = counted;
        advice->bound_by = BY_COUNTS;
    }
    if (has_limits(f) && modelled > ms) {
        ms = modelled;
        advice->bound_by = BY_MODEL;
        provenance = MODELLED;
    }
    advice->bound_ms = value_of(ms, provenance);
    if (f->time_ms.number > ms && !remedy->promises_nothing)
        advice->gain = f->time_ms.number / ms;
}

static double saved(const struct findings *f, const struct remedy *remedy)
{
    if (remedy->share > 0)
        return remedy->share;
    if (!has_limits(f))
        return remedy->left > 0 ? 1 - remedy->left : room_of(f) > 1 ? 1 - 1 / room_of(f) : 0;
    double most = 0, busiest = 0;
    for (enum resource i = 0; i < RESOURCES; i++) {
        double busy = f->limits.busy[i] / 100;
        most = fmax(most, busy * (1 - remedy->left_of[i]));
        busiest = fmax(busiest, busy);
    }
    // The load/store unit is one.
    busiest =
        fmax(busiest, (f->limits.busy[RESOURCE_SHARED] + f->limits.busy[RESOURCE_GLOBAL]) / 100);
    if (remedy->spreads)
        busiest *= f->limits.busy_sms / 100;
    return remedy->hides_waiting ? fmax(most, 1 - busiest) : most;
}

static bool try_rule(const struct rule *rule, const struct findings *f, struct advice *advice)
{
    struct remedy remedy = {.advice = advice};
    *advice = (struct advice){.rule = rule->key,
                              .limit = rule->limit,
                              .next = rule->next,
                              .section = rule->section,
                              .limiter = rule->limiter};
    for (int i = 0; i < RESOURCES; i++)
        remedy.left_of[i] = 1;
    if (!rule->fires(f, &remedy))
        return false;
    set_bound(f, &remedy);
    advice->saves = saved(f, &remedy);
    if (advice->gain > 0) // no more than the bound allows
        advice->saves = fmin(advice->saves, 1 - 1 / advice->gain);
    bool brings_nothing = value_known(&advice->bound_ms) && beyond_noise(advice->gain) <= 0;
    return rule->when == ALONE || rule->when == LAST_RESORT ||
           (!brings_nothing && beyond_noise(1 - advice->saves) < 0);
}

// Puts the advice before those that save less, but behind what parallelises.
static void insert(struct advice *list, int count, int first, const struct advice *advice)
{
    int place = count;
    for (; place > first && list[place - 1].saves < advice->saves; place--)
        list[place] = list[place - 1];
    list[place] = *advice;
}

int advise(const struct findings *findings, struct advice list[MAX_ADVICE])
{
    int count = 0, parallel = 0;
    struct advice advice;
    for (const struct rule *rule = advice_rules; rule < advice_rules + advice_rule_count; rule++) {
        if ((rule->when == LAST_RESORT && count > 0) || !try_rule(rule, findings, &advice))
            continue;
        insert(list, count++, rule->when == TO_OPTIMISE ? parallel : 0, &advice);
        parallel += rule->when == TO_PARALLELISE;
        if (rule->when == ALONE)
            break;
    }
    return count;
}

int advice_shown(const struct advice *list, int count)
{
    return count > 1 && list[1].saves >= SHOWN_ABOVE / 100.0 ? 2 : count > 0;
}
