// Steps measured at points of a sweep or in recorded runs, a row each: one layout for both, as a table
// for people, as CSV and as JSON.
#ifndef POINTS_H
#define POINTS_H

#include "base/style.h"
#include "facts/run.h"

#include <stdio.h>

struct point {
    char run[KIT_PATH_SIZE]; // the recorded run that it is from; "" for a sweep's
    int tile, rows;          // the geometry that it was built for (steps/tile.h); 0: the step has
                             // none, or that of ./run
    char device[128];        // "" when the point failed before the device was known
    struct step_result step; // no values when it went wrong
    struct value copy_gbs;   // of the device's own copy, in the same run
    struct value share;      // bandwidth over that copy's, in percent
};

// Chosen metrics, in the order to print them.
struct selection {
    int count;
    enum metric metric_table[METRICS];
};

// Takes the names, with commas between them, of metrics and counts as the JSON has them ("gst_efficiency",
// "global_load_sectors"), and "registers" and "shared_bytes"; one named twice counts once. Time and
// bandwidth are in every row. False after a message on standard error.
bool selection_parse(const char *names, struct selection *selection);

// Whether it is among them.
bool metric_is_chosen(const struct selection *selection, enum metric metric);

// Everything but time and bandwidth.
void selection_of_all(struct selection *selection);

// Makes the numbers of a step unavailable: what computes something else is not to be compared with what is
// right.
void point_drop_numbers(struct point *point);

// Makes the point one of the run's step.
void point_take(struct point *point, const struct run *run, const struct step_result *step);

// The points of each step for people, in at most 120 columns: what does not fit beside the others follows
// below. The points of a step stand together. The caller says what the numbers are.
void print_points(FILE *file, const struct style *style, const struct point *points, int count,
                  const struct selection *selection);

#endif
