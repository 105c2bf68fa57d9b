// A run that another of the kit's programs makes, or this one again: of all that it finds out, its JSON.
#ifndef KIT_RUN_H
#define KIT_RUN_H

#include "facts/run.h"

struct kit_run {
    bool simulated;
    const char *device; // "--device=1", "--sim=t4"
    size_t n;           // 0: the device's default
    const bool *chosen; // the steps, by their places in the lesson
    int limit_s;        // after which it is ended; 0: none
};

// Runs the steps. The run is the caller's to free; NULL after a message on standard error, with the exit status for it,
// or without one, and EXIT_TOO_LATE, at the limit. A step that goes wrong is in the run, and a message is out.
struct run *kit_run(const struct kit_run *asked, int *status);

#endif
