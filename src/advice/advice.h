// What limits a step, what to try next, and how much that can bring at best.
//
// One table (advice_rules.c) has the rules. Each looks at a step's findings and, where it fires, gives its
// evidence and a bound: the time that is left at best, if nothing but what the rule names costs time
// and all of it goes. The next step may use less of what the advice is about than it could, or bring
// in something new; it cannot be faster than the bound unless it changes something else as well.
//
// A bound is the largest of
//   - the roof: the useful bytes at the bandwidth of the device's own copy at the run's n (where no
//     copy was timed, at DRAM's peak);
//   - the counts, where they say: the step's time, times the share that is left of the passes, sectors or
//     launches when the rule's excess is gone, or of the threads' or warps' that work to those that could;
//   - the timing model, where there was one: the time for which each other part of the GPU is busy
//     (but for DRAM, whose busy time depends on the order of the bytes: the roof stands for it).
#ifndef ADVICE_H
#define ADVICE_H

#include "advice/findings.h"

enum { MAX_ADVICE = 26, MAX_EVIDENCE = 3, BECAUSE_SIZE = 240 };

// From this share of the device's own copy on, in percent, there is nothing left worth the work.
enum { AT_THE_ROOF = 95 };

// A number that the advice rests on, with its key in the JSON.
struct evidence {
    const char *key;
    double number;
};

// What makes the bound what it is.
enum bound_by { BY_COPY, BY_PEAK, BY_COUNTS, BY_MODEL };

struct advice {
    const char *rule;    // its key: "bank_conflicts". A static string, as are the next three
    const char *limit;   // what limits the step: "bank conflicts"
    const char *next;    // what to try: a sentence
    const char *section; // of walkthrough.md, "#bank-conflicts"; NULL where the lesson has none
    enum limiter
        limiter; // what the timing model calls that; LIMITER_UNKNOWN where it has no word for it
    char because[BECAUSE_SIZE]; // the evidence in words
    int evidence_count;
    struct evidence evidence[MAX_EVIDENCE];
    double saves; // the share of the time, 0..1, that goes at most; rules are ordered by it
    struct value
        bound_ms; // unavailable without a time or a roof; as well founded as what it is made of
    enum bound_by bound_by;
    double gain; // time / bound, more than 1; 0 where the advice promises no gain
};

// The rules that fire, the one that would save most first, but what parallelises before what optimises
// (APOD's order). At least one, at most MAX_ADVICE.
int advise(const struct findings *findings, struct advice list[MAX_ADVICE]);

// How many of them are worth a reader's time: the first, and the second if it would save a tenth.
int advice_shown(const struct advice *list, int count);

// "copy", "peak", "counts", "model": the keys in the JSON. Static strings.
const char *bound_by_key(enum bound_by by);

#endif
