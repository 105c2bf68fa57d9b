// What a run prints for people: the device, a panel a step, the summary.
#ifndef REPORT_H
#define REPORT_H

#include "base/style.h"
#include "facts/run_data.h"

#include <stdio.h>

struct report {
    FILE *file;
    struct style style;
};

// The device line: which device, what it has, and the size of the matrices.
void report_device(const struct report *report, const struct run_data *run);

// Why nothing is counted, if so.
void report_counters_note(const struct report *report, const struct run_data *run);

// The panel of the step at `place` of run->results, in the order and with the names of the 2012
// deck's; beside it the step before, if any; below, what the step changed, and advice. Where the step
// went wrong, what went wrong instead.
void report_panel(const struct report *report, const struct run_data *run, int place);

// The table of all steps between the CPU's transpose and the device's copy.
void report_summary(const struct report *report, const struct run_data *run);

// What each step's advice promised at best, and what came of it with the step after (promises.c).
// Nothing where nothing was promised.
void report_promises(const struct report *report, const struct run_data *run);

// The step before in this run, to compare with: the last verified one. NULL when there is none.
const struct result *report_before(const struct run_data *run, int place);

#endif
