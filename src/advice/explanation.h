// A run explained: of each step, what the timing model predicts and what it says limits it, beside
// what was measured, if anything was.
#ifndef EXPLANATION_H
#define EXPLANATION_H

#include "facts/comparison.h"

struct explanation {
    const struct run *measured; // NULL: nothing was
    const struct run *predicted;
    struct comparison comparison; // a: measured, b: predicted
};

// Where a prediction is further from the measured time than this, in percent, the model misses
// something, and what it says of the limiter counts for less.
enum { NEAR_ENOUGH = 25 };

// Matches the steps of both. The runs must outlive the explanation.
void explanation_make(struct explanation *explanation, const struct run *measured,
                      const struct run *predicted);

// What limits the step and what that means, in sentences.
enum { SENTENCES_SIZE = 640 };
void explanation_sentences(char text[SENTENCES_SIZE], const struct pair *pair);

// The metrics that a prediction and a measurement are compared by.
enum { EXPLAINED = 4 };
extern const enum metric explained[EXPLAINED];

#endif
