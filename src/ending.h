// What it says of a step that its process ended without a word.
#ifndef ENDING_H
#define ENDING_H

#include "run_data.h"
#include "supervise.h"

// Writes what happened to the step and where to look. `ending` is not NOT_STARTED.
void explain_ending(enum ending ending, int status, double timeout_s, const struct step *step,
                    char complaint[COMPLAINT_SIZE]);

#endif
