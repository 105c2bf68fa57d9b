// The names that --metrics takes: nvprof's, the counts' keys, and CUPTI's. No CUPTI is needed here.
#ifndef METRIC_NAMES_H
#define METRIC_NAMES_H

// A metric of nvprof's that the panel does not have, for --metrics.
struct nvprof_metric {
    const char *name;
    const char *cupti; // an expression, as in metric_table.h
    const char *note;  // what changed since nvprof: unit or meaning; "" for nothing
};

// In alphabetical order.
extern const struct nvprof_metric nvprof_metrics[];
extern const int nvprof_metric_count;

// The CUPTI expression for a name given to --metrics: nvprof's name, a count's key, or a CUPTI
// expression itself (it contains "__"). NULL when it is none of these, and for metrics of the panel
// that no expression gives.
const char *metric_expression(const char *name);

// The name that has an expression and that somebody may have meant who typed this; or NULL (suggest.h).
const char *metric_suggest(const char *typed);

#endif
