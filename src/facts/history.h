// The attendee's log behind `./run history`: the runs that --save kept, oldest first.
#ifndef HISTORY_H
#define HISTORY_H

#include "facts/run.h"

#include <stddef.h>

struct history_entry {
    struct run *run;
    const struct step_result *fastest; // by bandwidth; NULL when no step has one
    // Of each step: whether its file differs from the one in the latest run before that had the step.
    enum file_change { FILE_SAME, FILE_CHANGED, FILE_FIRST, FILE_UNKNOWN } changes[MAX_STEPS];
};

struct history {
    size_t count, unreadable;
    struct history_entry *entries;
};

#endif
