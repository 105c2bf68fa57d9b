// A run explained: of each step, what the timing model predicts and what it says limits it, beside
// what was measured, if anything was.
#ifndef EXPLANATION_H
#define EXPLANATION_H

#include "facts/comparison.h"

struct explanation {
    const struct record *measured; // NULL: nothing was
    const struct record *predicted;
    struct comparison comparison; // a: measured, b: predicted
};

// Where a prediction is further from the measured time than this, in percent, the model misses
// something, and what it says of the limiter counts for less.
enum { NEAR_ENOUGH = 25 };

// Matches the steps of both. The records must outlive the explanation.
void explanation_make(struct explanation *explanation, const struct record *measured,
                      const struct record *predicted);

// What limits the step and what that means, in sentences.
enum { SENTENCES_SIZE = 640 };
void explanation_sentences(char text[SENTENCES_SIZE], const struct pair *pair);

// Prints it for people, in at most 120 columns.
void report_explanation(const struct report *report, const struct explanation *explanation);

// The explanation as JSON text, for programs (json_explanation.c). The caller frees it; NULL when
// memory ran out or JSON is missing (json.h).
char *json_of_explanation(const struct explanation *explanation);

#endif
