// Three names for one thing: nvprof's, the kit's definition, CUPTI's. No CUPTI is needed here.
//
// CUPTI's side is an expression: names added up ("a.sum + b.sum"), each perhaps with a factor
// ("2*a.sum") and perhaps with other names for chips that lack the first ("a.sum|b.sum").
// The nvprof names and their successors follow the metric comparison in the Nsight Compute CLI
// documentation; that each name exists is tested against CUPTI for every chip it knows.
#ifndef METRIC_NAMES_H
#define METRIC_NAMES_H

#include "facts/profile.h"

// CUPTI's expression for a count. Never NULL.
const char *count_cupti(enum count count);

// A metric of the panel.
struct metric_definition {
    const char *nvprof;  // nvprof's name, or NULL when it had none
    const char *formula; // the kit's, in the counts' keys
    const char *cupti;   // the one CUPTI expression that gives it too, or NULL
    const char *note;    // what changed since nvprof: unit or meaning; "" for nothing
};
const struct metric_definition *metric_define(enum metric metric);

// A metric of nvprof's that the panel does not have, for --metrics.
struct nvprof_metric {
    const char *name;
    const char *cupti;
    const char *note; // as above
};

// How many there are, and the one at a place, 0 <= place < count, in alphabetical order.
int nvprof_metric_count(void);
const struct nvprof_metric *nvprof_metric_at(int place);

// The CUPTI expression for a name given to --metrics: nvprof's name, a count's key, or a CUPTI
// expression itself (it contains "__"). NULL when it is none of these, and for metrics of the panel
// that no expression gives.
const char *metric_expression(const char *name);

// The name that has an expression and that somebody may have meant who typed this; or NULL (suggest.h).
const char *metric_suggest(const char *typed);

#endif
