// What was counted about one launch, and the metrics that follow from the counts.
//
// Whoever counts (CUPTI on a GPU, the simulated device without one) fills `counts` and the few
// metrics that no count gives; profile_derive() fills the rest. A struct profile holds no pointers,
// so that it can live in memory that two processes share.
#ifndef PROFILE_H
#define PROFILE_H

#include "facts/limiter.h"

#include <stddef.h>

// Where a number comes from. What nobody filled in is unavailable.
enum provenance {
    UNAVAILABLE, // no number; `why` says the reason
    MEASURED,    // a hardware counter or a clock
    COUNTED,     // an exact count of the simulated device
    MODELLED,    // a prediction
};

enum { WHY_SIZE = 160, METRIC_NAME_SIZE = 128, MAX_EXTRAS = 32 };

struct value {
    double number; // meaningful unless the provenance is UNAVAILABLE
    enum provenance provenance;
    char why[WHY_SIZE]; // the reason, when unavailable
};

// Counts of one launch, over the whole GPU. count_key() gives each one's JSON key.
enum count {
    INST_EXECUTED,           // warp instructions
    GLOBAL_LOAD_REQUESTS,    // warp instructions with at least one active lane
    GLOBAL_LOAD_SECTORS,     // distinct 32-byte sectors, summed over the requests
    GLOBAL_LOAD_DATA_BYTES,  // distinct bytes the lanes asked for, summed over the requests
    GLOBAL_STORE_REQUESTS,   // the same three for stores
    GLOBAL_STORE_SECTORS,    //
    GLOBAL_STORE_DATA_BYTES, //
    GLOBAL_TAGS,             // distinct 128-byte lines, summed over loads and stores
    SHARED_REQUESTS,         // warp instructions, loads and stores
    SHARED_WAVEFRONTS,       // passes over the 32 banks
    SHARED_DATA_BYTES,       // distinct bytes the lanes asked for, summed over the requests
    LOCAL_SECTORS,           // 32-byte sectors of local memory (spills, stack)
    BRANCHES,                // warp-level branch instructions
    DIVERGENT_BRANCHES,      // those whose lanes went different ways
    DRAM_READ_BYTES,         //
    DRAM_WRITE_BYTES,        //
    BLOCKS_PER_SM_MAX,       // blocks launched on the busiest SM
    BLOCKS_PER_SM_MIN,       // and on the idlest
    COUNTS
};

// What the panel and the summary show. Units: percent 0..100, GB/s of 1e9 bytes, plain ratios.
enum metric {
    GLD_EFFICIENCY,
    GST_EFFICIENCY,
    GLD_TRANSACTIONS_PER_REQUEST,
    GST_TRANSACTIONS_PER_REQUEST,
    LOCAL_MEMORY_OVERHEAD,
    DRAM_UTILIZATION, // the profiler's, until profile_derive() knows better
    DRAM_THROUGHPUT_GBS,
    BRANCH_DIVERGENCE_OVERHEAD,
    TOTAL_REPLAY_OVERHEAD,
    SHARED_REPLAY_OVERHEAD,
    GLOBAL_REPLAY_OVERHEAD,
    ACHIEVED_OCCUPANCY,    // filled by the profiler
    THEORETICAL_OCCUPANCY, // filled by the driver: it needs the launch, not the counts
    METRICS
};

// A metric the user named, in the unit its source gives it.
struct extra {
    char name[METRIC_NAME_SIZE];
    struct value value;
};

struct profile {
    struct value counts[COUNTS];
    struct value metrics[METRICS];
    struct limits limits; // modelled; of an unknown limiter when there is no model
    struct extra extras[MAX_EXTRAS];
    int extra_count;
};

// The JSON keys, "global_load_sectors" and "gld_efficiency". Static strings.
const char *count_key(enum count count);
const char *metric_key(enum metric metric);

// "measured", "counted", "modelled" or "unavailable". Static strings.
const char *provenance_name(enum provenance provenance);

// What stands before a predicted number in a report: "~"; else "". A static string.
const char *provenance_mark(enum provenance provenance);

// A number with its provenance (not UNAVAILABLE).
struct value value_of(double number, enum provenance provenance);

// No number, for the reason that the printf-style format gives (cut to fit WHY_SIZE).
__attribute__((format(printf, 1, 2))) struct value value_unavailable(const char *format, ...);

// Whether the value holds a number.
int value_known(const struct value *value);

// The passes through the load/store unit that `bytes` take at least when `requests` ask for them: each
// request takes one, and a pass moves 128 bytes at most.
double least_passes(double requests, double bytes);

// Makes every count and metric unavailable for one reason, and drops the extras' numbers.
void profile_set_unavailable(struct profile *profile, const char *why);

// Names the limiter from the resources' busy times, which are filled in, and the counts.
void profile_find_limiter(struct profile *profile);

// Fills every metric that follows from the counts, by metrics' definitions in docs/metrics.md:
// efficiency = data bytes / (32 x sectors), unavailable where there is no such access; replay overheads from tags and wavefronts beyond what
// the bytes need; DRAM throughput = (read + written bytes) / time. `time_ms` is the launch's time
// outside the profiler, or unavailable; `dram_peak_gbs` the device's peak, or 0 when not known. With
// both, DRAM utilization = throughput / peak; else it stays the counter's, which also counts the
// idle time at both ends of the profiler's range. A metric takes the weakest provenance of what it is
// made of; when an ingredient is missing, the metric is unavailable for the ingredient's reason.
void profile_derive(struct profile *profile, const struct value *time_ms, double dram_peak_gbs);

#endif
