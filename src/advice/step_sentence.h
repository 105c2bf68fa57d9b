// A step's figures read aloud, in a sentence: what the step changed. What to try next is advice.h's.
#ifndef STEP_SENTENCE_H
#define STEP_SENTENCE_H

#include "facts/run.h"

enum { SENTENCE_SIZE = 320 };

// Writes the reading of `result`, measured after `before` (NULL: nothing to compare with); "" where
// nothing is known.
void step_sentence(const struct run *run, const struct step_result *result,
                   const struct step_result *before, char text[SENTENCE_SIZE]);

#endif
