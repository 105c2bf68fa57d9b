// Two recorded runs side by side: which steps belong together, what differs between them, and what
// about them is unlike, so that nothing unlike is compared in silence.
#ifndef COMPARISON_H
#define COMPARISON_H

#include "facts/run.h"

enum verdict {
    NOT_COMPARED, // a value is missing, or the two cannot be compared
    SAME,         // but for the noise of measuring, if it is measured at all
    BETTER,
    WORSE,
    CHANGED, // for better or worse is not for this number to say
    TOO_FEW, // launches were timed for the difference to say anything
};

// "same", "better", "worse", "changed", "not compared" or "too few launches". Static strings.
const char *verdict_name(enum verdict verdict);

// What going from one value to another means, by the metric's sense.
enum verdict metric_judge(enum metric metric, double from, double to);

// A step of both runs, or of one: the other is NULL then.
struct pair {
    const struct step_result *a, *b;
    bool unlike; // of other devices or sizes: what differs is neither better nor worse for the code
};

enum { MAX_REMARKS = 8, REMARK_SIZE = COMPLAINT_SIZE + 80 };

struct remarks {
    int count;
    char texts[MAX_REMARKS][REMARK_SIZE];
};

struct comparison {
    const struct run *a, *b; // "a" is the one before, "b" the one after
    struct remarks remarks;  // what is unlike about the runs as a whole
    int count;
    struct pair pairs[2 * MAX_STEPS]; // in the order of their numbers
};

// One number of a pair whose steps both ran.
struct difference {
    const struct value *a, *b;
    double change;      // b - a, when both are known
    double ratio;       // b / a, when both are known and a is not 0; else 0
    bool other_size;    // not compared, because n differs and decides the value
    bool other_sources; // one is measured, the other counted or modelled, and so on
    enum verdict verdict;
};

// Matches the steps by their numbers. The runs must outlive the comparison; a NULL is one without steps.
void comparison_make(struct comparison *comparison, const struct run *a, const struct run *b);

// Whether both runs have the step and neither has it wrong: then its numbers can be compared.
bool pair_is_comparable(const struct pair *pair);

// What is unlike about the steps of a pair, or why they are not compared.
void pair_remark(const struct pair *pair, struct remarks *remarks);

struct difference pair_difference(const struct pair *pair, enum metric metric);

#endif
