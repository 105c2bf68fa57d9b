#define _GNU_SOURCE // strsignal
#include "measure/process_end.h"

#include "base/foreign.h"
#include "base/memory_room.h"
#include "base/platform.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

void explain_want_of_memory(char *complaint, size_t size)
{
    struct memory_room room = memory_room("");
    char limit[80] = "";
    if (room.limit != UINT64_MAX)
        snprintf(limit, sizeof limit, " (its control group may have %" PRIu64 " MiB)",
                 room.limit >> 20);
    snprintf(complaint, size,
             "the kernel killed its process for want of memory%s. Try a smaller n (-n), end other "
             "programs, or raise the limit of this container.",
             limit);
}

void explain_process_end(enum process_end ending, int status, double timeout_s,
                         const struct step *step, bool n_is_asked, char complaint[COMPLAINT_SIZE])
{
    bool simulated = platform.simulated;
    if (ending == HUNG && status)
        snprintf(complaint, COMPLAINT_SIZE,
                 "its process was stopped by signal %d (%s), and nobody let it go on within %g "
                 "seconds (--timeout): look at launch() in %s.",
                 status, strsignal(status), timeout_s, step->file);
    else if (ending == HUNG)
        snprintf(complaint, COMPLAINT_SIZE,
                 "the kernel did not end within %g seconds (--timeout). %s%s%s an endless loop, or "
                 "a __syncthreads() that not all threads of a block reach; look at %s.",
                 timeout_s,
                 simulated ? "The simulated device may just need longer for it: try a higher "
                             "--timeout"
                           : "Likely",
                 simulated && n_is_asked ? " or a smaller -n" : "", simulated ? ". Else it is" : "",
                 step->file);
    else if (ending == STARVED)
        explain_want_of_memory(complaint, COMPLAINT_SIZE);
    else if (ending == CRASHED && status == SIGKILL)
        snprintf(
            complaint, COMPLAINT_SIZE,
            "its process was killed (signal 9): by you, by launch() in %s, or by the system for "
            "want of memory; then a smaller n (-n) helps.",
            step->file);
    else if (ending == CRASHED)
        snprintf(complaint, COMPLAINT_SIZE,
                 "the process ended with signal %d (%s) on the host: look at launch() in %s.",
                 status, strsignal(status), step->file);
    else if (ending == EXITED)
        snprintf(complaint, COMPLAINT_SIZE,
                 "it called exit(%d) and so ended its process: launch() in %s must return.", status,
                 step->file);
    else
        snprintf(
            complaint, COMPLAINT_SIZE,
            "it closed or wrote to files of the driver's, or to memory that it shares with it: "
            "look at launch() in %s.",
            step->file);
}

void blame_edges(struct step_result *result, size_t edges_n)
{
    static const char but[] = "right at n = %zu, but at n = %zu, where blocks are incomplete: %s";
    char complaint[sizeof but + 40 + COMPLAINT_SIZE];
    snprintf(complaint, sizeof complaint, but, result->n, edges_n, result->complaint);
    snprintf(result->complaint, COMPLAINT_SIZE, "%.*s", COMPLAINT_SIZE - 1, complaint);
    foreign_trim(result->complaint);
    result->n = edges_n;
}
