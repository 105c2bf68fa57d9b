// What limits a kernel: of the parts of a GPU, the one that is busy nearly all of the time.
#ifndef LIMITER_H
#define LIMITER_H

#include <stdbool.h>

// The parts that the timing model keeps apart.
enum resource {
    RESOURCE_ISSUE,  // the schedulers' issue slots
    RESOURCE_SHARED, // the load/store unit, with shared requests
    RESOURCE_GLOBAL, // the load/store unit, with global requests
    RESOURCE_L2,
    RESOURCE_DRAM,
    RESOURCE_LAUNCH,     // the GPU's block scheduler
    RESOURCE_ARITHMETIC, // the units that compute, the busiest of them
    RESOURCE_ATOMICS,    // the slice of the L2 whose 256 bytes are updated most
    RESOURCES
};

enum limiter {
    LIMITER_UNKNOWN,        // there was no model
    LIMITER_BLOCKS,         // too few blocks for the SMs
    LIMITER_LATENCY,        // nothing is busy: too few bytes in flight to hide the latency
    LIMITER_ISSUE,          //
    LIMITER_BANK_CONFLICTS, // the load/store unit, mostly with passes that conflicts add
    LIMITER_SHARED,         // the same without many conflicts
    LIMITER_UNCOALESCED,    // the load/store unit, mostly with lines that the bytes do not need
    LIMITER_GLOBAL,         // the same without them
    LIMITER_L2,
    LIMITER_DRAM,
    LIMITER_LAUNCH,
    LIMITER_ARITHMETIC,
    LIMITER_ATOMICS,
    LIMITER_LOCAL, // the load/store unit, mostly with local memory
    LIMITERS
};

// Key: in the JSON. Name: in a few words, "issue slots", "DRAM bandwidth".
struct resource_row {
    const char *key, *name;
    bool is_later; // older kits do not have it, nor their runs
};

struct limiter_row {
    const char *key, *name;
    enum resource resource; // that it is a lack of; RESOURCES when it is none
    const char *meaning;    // for the kernel: one sentence. What would help is advice.h's
};

extern const struct resource_row resources[RESOURCES];
extern const struct limiter_row limiters[LIMITERS];

// A resource that is busy for this share of the time, in percent, limits the kernel. Volkov
// ("Understanding Latency Hiding on GPUs", 2016) finds the change from latency to throughput there:
// both add up between half of the peak and all of it.
enum { LIMITING = 60 };

struct limits {
    enum limiter limiter;
    double busy[RESOURCES]; // percent of the time, where blocks run
    double busy_sms;        // percent of the SMs: those that get a block
};

// Names the limiter from what is busy. `shared_excess` and `global_excess` are the shares, 0..1, of
// wavefronts and of tags that the bytes do not need.
enum limiter find_limiter(const struct limits *limits, double shared_excess, double global_excess);

// The limiter of that key, or LIMITER_UNKNOWN.
enum limiter limiter_find(const char *key);

// For how much of the time, in percent, what limits the kernel is busy; negative when the limiter is
// nothing that could be busy.
double limiter_busy(const struct limits *limits);

#endif
