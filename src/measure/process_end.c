#define _GNU_SOURCE // strsignal
#include "measure/process_end.h"

#include "base/memory_room.h"
#include "base/platform.h"
#include "base/untrusted_text.h"

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

static const char *const function_names[STEP_FUNCTIONS] = {"launch()", "compute()",
                                                           "useful_bytes()"};

static void explain_hang(double timeout_s, const struct step *step, enum step_function function,
                         bool n_is_asked, char complaint[COMPLAINT_SIZE])
{
    bool simulated = platform.simulated;
    if (function != LAUNCH)
        snprintf(
            complaint, COMPLAINT_SIZE,
            "%s in %s did not return within %g seconds (--timeout). It runs on the CPU, which may "
            "just need longer for it: try a higher --timeout%s. Else it is an endless loop.",
            function_names[function], step->file, timeout_s, n_is_asked ? " or a smaller -n" : "");
    else
        snprintf(complaint, COMPLAINT_SIZE,
                 "the kernel did not end within %g seconds (--timeout). %s%s%s an endless loop, or "
                 "a __syncthreads() that not all threads of a block reach; look at %s.",
                 timeout_s,
                 simulated ? "The simulated device may just need longer for it: try a higher "
                             "--timeout"
                           : "Likely",
                 simulated && n_is_asked ? " or a smaller -n" : "", simulated ? ". Else it is" : "",
                 step->file);
}

void explain_process_end(enum process_end end, int status, double timeout_s,
                         const struct step *step, enum step_function function, bool n_is_asked,
                         char complaint[COMPLAINT_SIZE])
{
    const char *name = function_names[function];
    if (end == HUNG && status)
        snprintf(complaint, COMPLAINT_SIZE,
                 "its process was stopped by signal %d (%s), and nobody let it go on within %g "
                 "seconds (--timeout): look at %s in %s.",
                 status, strsignal(status), timeout_s, name, step->file);
    else if (end == HUNG)
        explain_hang(timeout_s, step, function, n_is_asked, complaint);
    else if (end == STARVED)
        explain_want_of_memory(complaint, COMPLAINT_SIZE);
    else if (end == CRASHED && status == SIGKILL)
        snprintf(complaint, COMPLAINT_SIZE,
                 "its process was killed (signal 9): by you, by %s in %s, or by the system for "
                 "want of memory; then a smaller n (-n) helps.",
                 name, step->file);
    else if (end == CRASHED)
        snprintf(complaint, COMPLAINT_SIZE,
                 "the process ended with signal %d (%s) on the host: look at %s in %s.", status,
                 strsignal(status), name, step->file);
    else if (end == EXITED)
        snprintf(complaint, COMPLAINT_SIZE,
                 "it called exit(%d) and so ended its process: %s in %s must return.", status, name,
                 step->file);
    else
        snprintf(complaint, COMPLAINT_SIZE,
                 "it closed or wrote to files of the driver's, or to memory that it shares with "
                 "it: look at %s in %s.",
                 name, step->file);
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
