// The kit's programs, run by a verb for what they write as JSON.
#ifndef INNER_RUN_H
#define INNER_RUN_H

#include "facts/run.h"

struct inner_run {
    const char *verb;    // "hotspots"; NULL: a run
    const char *program; // its path; NULL: the kit's of that kind
    bool simulated;
    const char *device; // "--device=1", "--sim=t4"; NULL: the default
    size_t n;           // 0: the device's default
    const bool *chosen; // steps by their places; NULL: all
    int limit_s;        // after which it is ended; 0: none
};

// The JSON, of less than RUN_MAX_BYTES, which the caller frees. NULL, or "" where the program wrote none, after a
// message on standard error, with the exit status for it; at the limit without one, and EXIT_TOO_LATE. A step that goes wrong is in the JSON, and a message is out.
char *inner_json(const struct inner_run *asked, int *status);

// The record of a run, to be called `label`. The caller frees it; NULL as above.
struct run *inner_run(const struct inner_run *asked, const char *label, int *status);

// From now on simulated devices do without their checks of every access: the steps' results are verified all the same.
// False after a message on standard error.
bool inner_runs_unchecked(void);

#endif
