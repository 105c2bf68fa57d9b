// The end of every piece of advice: what it promised at best, and what came with the next step.
#ifndef PROMISES_H
#define PROMISES_H

#include "advice/advice.h"

struct promise {
    const struct step_result *step;
    const struct step_result *next; // that is right and whose time is known; NULL: none
    struct advice advice;           // the step's first
    double came;                    // the next step's gain in bandwidth
    bool changed_more;              // than the advice was about
};

// Of the lesson's steps that are right, in their order; none of those at the roof with which a run starts, as the sizes
// of such say little, or with which it ends. Returns how many.
int promises_of(const struct run *run, struct promise list[MAX_STEPS]);

#endif
