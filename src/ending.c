#define _GNU_SOURCE // strsignal
#include "ending.h"

#include "profiler.h"

#include <stdio.h>
#include <string.h>

void explain_ending(enum ending ending, int status, double timeout_s, const struct step *step,
                    char complaint[COMPLAINT_SIZE])
{
    if (ending == HUNG)
        snprintf(complaint, COMPLAINT_SIZE,
                 "the kernel did not end within %g seconds (--timeout). %s an endless loop, or "
                 "a __syncthreads() that not all threads of a block reach; look at %s.",
                 timeout_s,
                 profiler_simulates() ? "The simulated device may just need longer for it: try a "
                                        "higher --timeout or a smaller -n. Else it is"
                                      : "Likely",
                 step->file);
    else if (status != 0)
        snprintf(complaint, COMPLAINT_SIZE,
                 "the process ended with signal %d (%s) on the host: look at launch() in %s.",
                 status, strsignal(status), step->file);
    else
        snprintf(complaint, COMPLAINT_SIZE, "the process ended itself: does %s call exit()?",
                 step->file);
}
