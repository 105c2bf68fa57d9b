// The device that a run uses: which one, and what it has.
#ifndef DEVICE_H
#define DEVICE_H

#include "base/occupancy.h"
#include "facts/failure.h"

#include <stdbool.h>
#include <stddef.h>

struct device {
    bool simulated;
    bool checks_accesses; // for bounds, memory that nobody wrote, and races
    char name[128];
    char toolkit[16]; // the CUDA toolkit's version, "13.0"; "" when built without one
    char driver[48];  // "580.95.05 (CUDA 13.0)": its version and the newest CUDA it knows; or ""
    int cc_major, cc_minor; // compute capability
    int sms;
    double dram_peak_gbs; // 2 x memory clock x bus width, 1e9 bytes a second; 0 when not known
    size_t l2_bytes, memory_bytes;
    struct sm_limits sm;
};

// Makes device `ordinal` (CUDA's number, from 0) the current one and describes it. Where there is
// none such, returns false with the reason in `failure`.
bool device_open(int ordinal, struct device *device, char failure[FAILURE_SIZE]);

// Whether there is no CUDA device at all that can be used.
bool device_none(void);

#endif
