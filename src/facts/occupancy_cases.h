// What ./run occupancy finds out: what an SM has, and what a block asks of it; for one step or for several, or for
// numbers that were given by hand.
#ifndef OCCUPANCY_CASES_H
#define OCCUPANCY_CASES_H

#include "base/compute_capability.h"
#include "base/occupancy.h"
#include "facts/launches.h"
#include "facts/steps.h"

struct occupancy_case {
    int step; // its number; 0: numbers given by hand
    struct launch_needs needs;
    struct occupancy occupancy;
};

struct occupancy_page {
    const char *device; // its name; NULL: a compute capability alone
    int major, minor;
    const char *family; // of that compute capability
    struct sm_limits sm;
    int count;
    struct occupancy_case cases[MAX_STEPS];
};

#endif
