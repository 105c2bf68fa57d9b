// What a run prints for people: the device, a panel a step, the summary.
#ifndef REPORT_H
#define REPORT_H

#include "base/style.h"
#include "facts/run.h"

#include <stdio.h>

struct report {
    FILE *file;
    struct style style;
};

// The device line: which device, what it has, and the size of the matrices.
void report_device(const struct report *report, const struct run *run);

// Why nothing is counted, if so, and whether the simulated device's counts stand in.
void report_counters_note(const struct report *report, const struct run *run, bool stands_in);

// The panel of the step at `place` of run->steps, in the order and with the names of the 2012
// deck's; beside it the step before, if any; below, what the step changed, and advice. Where the step
// went wrong, what went wrong instead.
void report_panel(const struct report *report, const struct run *run, int place);

// What is worth a reader's time of the advice that follows (advice_lines.c), in at most 100 columns.
struct findings;
void report_advice(const struct report *report, const struct findings *findings);

// The table of all steps between the CPU's transpose and the device's copy.
void report_summary(const struct report *report, const struct run *run);

// What each step's advice promised at best, and what came of it with the step after (promise_table.c).
// Nothing where nothing was promised.
void report_promises(const struct report *report, const struct run *run);

// How an exercise stands: the numbers of the two and the goals, and what is not reached yet
// (exercise_table.c).
struct exercise_result;
void report_exercise(const struct report *report, const struct run *run,
                     const struct exercise_result *exercise);

// What was predicted of the step at `place` beside what came, and what may have been overlooked; and the last
// record of each step with how well the learner predicts (prediction_table.c).
struct prediction_record;
void report_predictions(const struct report *report, const struct run *run, int place,
                        const struct prediction_record *record);
void report_progress(const struct report *report, const struct prediction_record *records,
                     int count);

// A lab's points, a row each, with the numbers that are watched (lab_table.c).
struct selection;
void report_lab(const struct report *report, const struct run *run, const struct lab *lab,
                const struct selection *watched);

// The candidates of a tuning, the fastest first (tuning_table.c).
struct tuning;
void report_tuning(const struct report *report, const struct tuning *tuning);

// Two runs side by side (comparison_table.c): every number of every step, the counts only when
// `counters`; and in short, a row a step, as it follows the report of a run.
struct comparison;
void report_comparison(const struct report *report, const struct comparison *comparison,
                       bool counters);
void report_comparison_in_short(const struct report *report, const struct comparison *comparison);

// What went over the ways from the kernel down to DRAM (memory_chart.c).
void report_memory(const struct report *report, const struct step_result *step);

// Predictions explained, beside what was measured (explanation_page.c), in at most 120 columns.
struct explanation;
void report_explanation(const struct report *report, const struct explanation *explanation);

#endif
