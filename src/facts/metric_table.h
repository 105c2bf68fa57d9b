// Every number that a run has of a step, a row each in one table (metric_table.c): how it is called, what
// it means, how it is found out, what is good, and where it is shown. Whoever prints, writes, compares
// or counts numbers goes by the table, so that a metric more is a line here and a row there.
#ifndef METRIC_TABLE_H
#define METRIC_TABLE_H

#include "facts/limiter.h"
#include "facts/value.h"

// In the JSON's order, which is the panel's too.
enum metric {
    TIME_MS,       // the median of the launches
    BANDWIDTH_GBS, // 2 n n 4 bytes / time: useful bytes only
    REGISTERS,     // a thread
    SHARED_BYTES,  // a block, static and dynamic

    // Metrics. Units: percent 0..100, GB/s of 1e9 bytes, plain ratios.
    FIRST_METRIC,
    GLD_EFFICIENCY = FIRST_METRIC,
    GST_EFFICIENCY,
    GLD_TRANSACTIONS_PER_REQUEST,
    GST_TRANSACTIONS_PER_REQUEST,
    LOCAL_MEMORY_OVERHEAD,
    DRAM_UTILIZATION, // the profiler's, until metrics_derive() knows better
    DRAM_THROUGHPUT_GBS,
    BRANCH_DIVERGENCE_OVERHEAD,
    TOTAL_REPLAY_OVERHEAD,
    SHARED_REPLAY_OVERHEAD,
    GLOBAL_REPLAY_OVERHEAD,
    ACHIEVED_OCCUPANCY,
    THEORETICAL_OCCUPANCY, // filled by the driver: it needs the launch, not the counts
    L1_HIT_RATE,           // of the sectors of global loads
    L2_HIT_RATE,           // of the sectors that SMs read
    L1_UTILIZATION,
    L2_UTILIZATION,

    // Counts of one launch, over the whole GPU.
    FIRST_COUNT,
    INST_EXECUTED = FIRST_COUNT, // warp instructions
    GLOBAL_LOAD_REQUESTS,        // warp instructions with at least one active lane
    GLOBAL_LOAD_SECTORS,         // distinct 32-byte sectors, summed over the requests
    GLOBAL_LOAD_DATA_BYTES,      // distinct bytes the lanes asked for, summed over the requests
    GLOBAL_STORE_REQUESTS,       // the same three for stores
    GLOBAL_STORE_SECTORS,        //
    GLOBAL_STORE_DATA_BYTES,     //
    GLOBAL_TAGS,                 // distinct 128-byte lines, summed over loads and stores
    SHARED_REQUESTS,             // warp instructions, loads and stores
    SHARED_WAVEFRONTS,           // passes over the 32 banks
    SHARED_DATA_BYTES,           // distinct bytes the lanes asked for, summed over the requests
    LOCAL_SECTORS,               // 32-byte sectors of local memory (spills, stack)
    BRANCHES,                    // warp-level branch instructions
    DIVERGENT_BRANCHES,          // those whose lanes went different ways
    DRAM_READ_BYTES,             //
    DRAM_WRITE_BYTES,            //
    BLOCKS_PER_SM_MAX,           // blocks launched on the busiest SM
    BLOCKS_PER_SM_MIN,           // and on the idlest
    GLOBAL_LOAD_L1_HITS,         // sectors of global loads that were in L1
    L2_READ_REQUESTS,            // of the SMs: for a line, one to four sectors
    L2_READ_SECTORS,             //
    L2_READ_HITS,                // of these, the sectors that were in the L2
    L2_WRITE_REQUESTS,           //
    L2_WRITE_SECTORS,            //
    METRICS
};

// Thresholds beyond which a value is bad and gets a mark; percentages. The 2012 deck marks a store
// efficiency of 12.5, a DRAM utilization of 6.5 and replay overheads of 83 and more, discusses one
// of 30.4, and is content with 17.6 and with an occupancy of 49.8.
enum { LOW_EFFICIENCY = 75, LOW_DRAM_UTILIZATION = 25, LOW_OCCUPANCY = 40, HIGH_OVERHEAD = 25 };

// In percent of the value: what the median time of the same program differs by from run to run.
enum { NOISE_OF_TIME = 3 };

// How one speed over another differs from 1 by more than that: 1 where it is more, -1 where it is less, else 0.
int beyond_noise(double ratio);

// Metrics that the user names, and what fits into a name.
enum { MAX_EXTRAS = 32, METRIC_NAME_SIZE = 128 };

enum unit { MILLISECONDS, GB_PER_SECOND, PERCENT, PLAIN, BYTES, EVENTS };

enum sense {
    NEUTRAL,        // no goal in itself
    LESS_IS_BETTER, //
    MORE_IS_BETTER, //
    ENOUGH_IS_GOOD, // more is better up to the row's `low`, and no goal in itself beyond
};

// The panel's sections, in their order.
enum section { NO_SECTION, IN_MEMORY, IN_INSTRUCTION, IN_OCCUPANCY };

// A metric from the other values of a step.
typedef struct value derivation(const struct value values[]);

struct metric_row {
    const char *key;   // in the JSON: "gld_efficiency"
    const char *label; // for people; a count's is its key
    enum unit unit;
    enum sense sense;
    double noise;            // percent of the value by which two launches of one kernel differ
    bool grows_with_n;       // of two sizes, the two values are not comparable
    double low, high;        // bad below `low`, and from `high` on; 0: never
    bool low_in_l2;          // with matrices that fit in the L2 it is low, and not bad
    enum section section;    // of the panel
    const char *section_row; // its label there, where that is shorter; else NULL
    const char *column;      // its heading in the summary, NULL: it has no column
    int column_place;        // there: from 1, from left to right

    // Three names for one thing: nvprof's, the kit's definition, CUPTI's.
    //
    // CUPTI's side is an expression: names added up ("a.sum + b.sum"), each perhaps with a factor
    // ("2*a.sum") and perhaps with other names for chips that lack the first ("a.sum|b.sum").
    // The nvprof names and their successors follow the metric comparison in the Nsight Compute CLI
    // documentation; that each name exists is tested against CUPTI for every chip it knows.
    const char *nvprof;  // nvprof's name, or NULL when it had none
    const char *formula; // the kit's definition, in the counts' keys; NULL for a count
    const char *cupti;   // the one CUPTI expression that gives it (too), or NULL
    const char *note;    // what changed since nvprof: unit or meaning; NULL for nothing
    bool is_counted;     // the profiler fills it
    derivation *derive;  // fills it from other values; NULL: somebody else does
};

extern const struct metric_row metric_table[METRICS];

// The metric of that key, or METRICS.
enum metric metric_find(const char *key);

// Whether the value of the metric is known and bad, by its row; both matrices fit in the L2, or they do not.
bool metric_is_bad(enum metric metric, const struct value *value, bool fits_in_l2);

// The metric in the summary's metric column at a place, from 1; METRICS when it has fewer.
enum { MOST_COLUMNS = 6 }; // in 120 columns of text
enum metric summary_column(int place);

// Fills every metric that follows from other values, by the definitions in docs/metrics.md:
// efficiency = data bytes / (32 x sectors), unavailable where there is no such access; replay overheads
// from tags and wavefronts beyond what the bytes need; DRAM throughput = (read + written bytes) / time,
// where TIME_MS is that of a launch outside the profiler. With a known peak, DRAM utilization =
// throughput / peak; else it stays the counter's, which also counts the idle time at both ends of the
// profiler's range. A metric takes the weakest provenance of what it is made of; when an ingredient is
// missing, the metric is unavailable for the ingredient's reason.
void metrics_derive(struct value values[METRICS], double dram_peak_gbs);

// The passes through the load/store unit that `bytes` take at least when `requests` ask for them: each
// request takes one, and a pass moves 128 bytes at most.
double least_passes(double requests, double bytes);

// Names the limiter from the resources' busy times, which are filled in, and the counts.
void set_limiter(struct limits *limits, const struct value values[METRICS]);

#endif
