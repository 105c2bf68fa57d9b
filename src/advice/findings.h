// What the rules of advice.h look at: a step's numbers and its device's.
#ifndef FINDINGS_H
#define FINDINGS_H

#include "facts/run.h"

#include <stdbool.h>

// Passes through the load/store unit and sectors, beside the least that would do for the bytes that
// were asked for (least_passes() in metric_table.h; a sector holds 32 bytes).
struct traffic {
    bool known; // else the rest is 0
    double tags, least_tags;
    double wavefronts, least_wavefronts;
    double sectors[2], least_sectors[2]; // of loads, of stores
    double requests[2];
};

struct findings {
    size_t n;
    double elements;     // n x n
    double useful_bytes; // read and written at least
    int sms;
    double capacity;                       // threads that the GPU can hold at once
    bool fits_in_l2;                       // both matrices together
    bool launched;                         // else the next four are 0
    double blocks, block_threads, threads; // of the largest launch
    double elements_per_thread;            // of all launches
    int registers;                         // a thread; 0 when not known
    size_t shared_bytes;
    enum occupancy_limit limit; // of the theoretical occupancy
    struct value time_ms;
    struct value roof_ms; // the least: the useful bytes at the bandwidth of the device's own copy
    bool roof_is_copys;   // else, where no copy was timed, of DRAM's peak
    double share_of_copy; // how near it comes to the device's own copy, in percent; -1: not known
    const struct value *values;
    struct traffic traffic;
    struct limits limits; // of an unknown limiter when there was no model
};

// The values stay the step's, which must outlive the findings. The step must be one that is not known to
// be wrong.
struct findings findings_of(const struct run *run, const struct step_result *step);

// The value's number; -1 when it is unavailable.
double found(const struct findings *findings, enum metric metric);

#endif
