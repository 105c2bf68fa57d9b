// A run: all that is known of a device and of the steps on it. Measuring fills it, or the reading of a
// file that a run was written to (files/run_read.h); whoever advises, shows, writes or compares works on
// it. It lies in memory that the worker process and the driver share, so it holds no pointers. Text from
// a file is harmless (base/untrusted_text.h).
#ifndef RUN_H
#define RUN_H

#include "base/programs.h"
#include "facts/device.h"
#include "facts/median.h"
#include "facts/metric_table.h"
#include "facts/roof.h"
#include "facts/steps.h"

#include <stdbool.h>
#include <stddef.h>

enum outcome {
    PENDING,   // not tried yet
    NOT_KNOWN, // whether it is right: of a published run, or of what the device lacks
    VERIFIED,  // right, and measured
    WRONG,     // ran, but its result is wrong; not measured
    FAILED, // did not run to its end; read from a file, which does not tell the two apart: or wrong
};

enum { MAX_N = 1 << 20 };

// The largest n that serial steps (stage Assess) run at: one thread would take minutes over more.
enum { SERIAL_MAX_N = 1024 };

// The sizes that exercises are verified at besides the run's. No block or tile fills them; one is prime, and
// the other, for kernels that move 16 bytes an access where they can, a multiple of 4.
enum { EDGES = 2, EDGES_N = 997, EDGES_N_BY_4 = 996 };

enum {
    TITLE_SIZE = 80,
    COMPLAINT_SIZE = 1024,
    SOURCE_SIZE = 800,
    HASH_SIZE = 40,
    SAVED_TIME_SIZE = 32
};

// What one of the roofs came to.
struct roof_result {
    struct value gbs;
    struct timing timing;
};

struct step_result {
    double number; // the step's; a fraction where the lesson has no such step
    char title[TITLE_SIZE];
    bool reference; // of the kit's own step, beside an exercise of that number
    size_t n;       // of this step: the serial step's is bounded
    enum outcome outcome;
    char complaint[COMPLAINT_SIZE]; // when it went wrong: what, where, and what it suggests
    bool launched;                  // grid and block are known
    unsigned grid[3], block[3];     // of the largest launch
    unsigned launches;              // that the step makes; 0 when not known
    struct timing timing;
    struct value values[METRICS];
    struct limits limits;                 // modelled; of an unknown limiter when there is no model
    enum occupancy_limit occupancy_limit; // what binds the theoretical occupancy
    struct value
        extras[MAX_EXTRAS];    // of the run's extra_names, in the unit their source gives them
    char file_hash[HASH_SIZE]; // of the step's file, of a saved run; "" when not known
};

struct run {
    char label[KIT_PATH_SIZE]; // how the user calls it
    char kit[64];              // who made it: "apodkit 0.1.0"
    char source[SOURCE_SIZE];  // of a run that the kit did not take: where it comes from; else ""
    char saved_time[SAVED_TIME_SIZE]; // UTC, "2026-01-31T12:00:00Z", of a saved run; else ""
    struct device device;             // of a file: 0 and "" for what it does not say
    size_t n;
    struct timing cpu;                  // the CPU's transpose, on all cores
    struct timing copy;                 // the device's own copy of n x n floats
    struct value copy_gbs;              // its bandwidth
    struct roof_result roofs[ROOFS];    // the others
    char counters_note[COMPLAINT_SIZE]; // why nothing is counted, and what to do; "" when it is
    int extra_count;
    char extra_names[MAX_EXTRAS][METRIC_NAME_SIZE]; // of metrics that the user named
    int count;                                      // steps, in ascending order of their numbers
    int reference_count; // of the references of those that are exercises: they come last
    struct step_result steps[2 * MAX_STEPS];
};

// Whether the step is known not to be right: then its numbers are not to be compared.
bool went_wrong(const struct step_result *step);

// Whether it is a point that the device does not have: nothing was launched, and the complaint says why.
bool is_left_out(const struct step_result *step);

// Whether counts of the simulated device stand in for those that the run's GPU refuses.
bool counts_stand_in(const struct run *run, const struct step_result *step);

// Makes unavailable, for one reason, what is counted of the step and what follows from that.
void drop_counts(struct step_result *step, const char *why);

// How many places of run->steps are taken: by the steps, and behind them the references.
static inline int step_places(const struct run *run)
{
    return run->count + run->reference_count;
}

// The kit's step that the result is of; NULL when this program has none such.
const struct step *step_of(const struct step_result *result);

// The reference's result for the exercise at `place`, or NULL.
const struct step_result *reference_result(const struct run *run, int place);

// The place of the step of that number; run->count where there is none.
int run_place(const struct run *run, double number);

// The step of that number, or NULL.
const struct step_result *run_find(const struct run *run, double number);

// The fastest step by bandwidth, and the nearest ones around `place` that are not known to be wrong; or NULL.
const struct step_result *run_fastest(const struct run *run);
const struct step_result *verified_before(const struct run *run, int place);
const struct step_result *verified_after(const struct run *run, int place);

// How many times as fast a step is as a slower one, by their bandwidths; unavailable where one of these is.
struct value speedup_over(const struct step_result *step, const struct step_result *slower);

// The step's bandwidth over that of the device's own copy, in percent.
struct value share_of_copy(const struct run *run, const struct step_result *step);

// The size that the step of this number runs at when the run has n. The serial steps' is bounded, and
// that of an exercise that follows one, because it starts as the step before.
size_t step_size(int step, size_t n);

// The occupancy, in percent, and what binds it, into the step: they follow from its block's threads, its registers and
// shared memory (unknown: 0) and what the device's SMs have. -1 where that does not say.
double theoretical_occupancy(const struct device *device, struct step_result *step);

// The bytes that any kernel has to read and write for the step's work: of a transpose each element once and once again.
// Of an own kernel or a mystery they follow from its time and bandwidth.
double useful_bytes(const struct step_result *step);

// Useful bytes of a transpose or a copy (every element is read once and written once) over time, in
// 1e9 bytes a second; 0 for a time of 0. The other way round, the milliseconds at such a bandwidth.
double bandwidth_gbs(size_t n, double ms);

#endif
