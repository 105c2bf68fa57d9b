// What it says of a step that its process ended without a word, and of one that fails at other sizes alone.
#ifndef PROCESS_END_H
#define PROCESS_END_H

#include "facts/run.h"
#include "measure/supervise.h"

// What of a step's file the driver calls: the function of a note. LAUNCH, too, while its kernel runs.
enum step_function { LAUNCH, COMPUTE, USEFUL_BYTES, STEP_FUNCTIONS };

// Writes what happened to the step in that function, and where to look. `end` is not ENDED or NOT_STARTED.
// `n_is_asked`: the size was that of -n, so that another can be asked for.
void explain_process_end(enum process_end end, int status, double timeout_s,
                         const struct step *step, enum step_function function, bool n_is_asked,
                         char complaint[COMPLAINT_SIZE]);

// Writes that the kernel killed the process for want of memory, and what to do.
void explain_want_of_memory(char *complaint, size_t size);

// Makes the result one of n = `edges_n`, and puts before its complaint that the step was right at its n.
void blame_edges(struct step_result *result, size_t edges_n);

#endif
