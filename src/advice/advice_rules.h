// The rules behind advice.h: each a condition on the findings, what would go, and what to try.
#ifndef ADVICE_RULES_H
#define ADVICE_RULES_H

#include "advice/advice.h"

// What a rule says would go, beside its evidence in struct advice. Left unset, `left` and `share` are 0,
// and `left_of` is 1 throughout.
struct remedy {
    struct advice *advice;
    double left; // of the time, at least, if all of it is spent on this; 0: the counts do not say
    double left_of[RESOURCES]; // of the time for which each part is busy, at least
    double share;       // of the time that this takes by the counts, where that is no bound; else 0
    bool hides_waiting; // of the time in which nothing is busy, none is left
    bool spreads;       // over SMs that have no block
    bool promises_nothing; // it is no change of the kernel
};

enum when {
    ALONE,          // nothing else is said then
    TO_PARALLELISE, //
    TO_OPTIMISE,    //
    LAST_RESORT,    // the first of these, when no other rule fires
};

struct rule {
    const char *key, *limit;
    enum when when;
    bool (*fires)(const struct findings *, struct remedy *);
    const char *next, *section;
    enum limiter limiter; // that it speaks of; LIMITER_UNKNOWN: of none
};

// The table (advice_rules.c): of rules that would save the same, the first comes first.
extern const struct rule advice_rules[];
extern const int advice_rule_count;

// Whether there was a timing model.
bool has_limits(const struct findings *findings);

// How many times as fast the roof is as the step; 0 when that is not known.
double room_of(const struct findings *findings);

#endif
