// What every GPU of one compute capability has: the limits of its SMs.
#ifndef COMPUTE_CAPABILITY_H
#define COMPUTE_CAPABILITY_H

#include "base/occupancy.h"

struct compute_capability {
    int major, minor;
    const char *family;  // "Kepler"
    struct sm_limits sm; // with the largest carve-out of shared memory
};

// The compute capability in the table, or NULL when it is not there.
const struct compute_capability *compute_capability_find(int major, int minor);

// The newest one that is not newer than this, for a GPU that the table does not know yet; the
// oldest when all are newer.
const struct compute_capability *compute_capability_nearest(int major, int minor);

// In ascending order.
extern const struct compute_capability compute_capabilities[];
extern const int compute_capability_count;

#endif
