// Everything that a run finds out. The worker process fills it, the report and the JSON read it; it
// lies in memory that both processes share, so it holds no pointers.
#ifndef RUN_DATA_H
#define RUN_DATA_H

#include "facts/device.h"
#include "facts/launches.h"
#include "facts/profile.h"
#include "facts/steps.h"
#include "measure/timing.h"

enum outcome {
    PENDING,  // not tried yet
    VERIFIED, // right, and measured
    WRONG,    // ran, but its result is wrong; not measured
    FAILED,   // did not run to its end
};

// The largest n that serial steps (stage Assess) run at: one thread would take minutes over more.
enum { SERIAL_MAX_N = 1024 };

// The sizes that exercises are verified at besides the run's. No block or tile fills them; one is prime, and
// the other, for kernels that move 16 bytes an access where they can, a multiple of 4.
enum { EDGES = 2, EDGES_N = 997, EDGES_N_BY_4 = 996 };

enum { COMPLAINT_SIZE = 1024 };

struct result {
    int step;       // its number
    bool reference; // of the kit's own step, beside an exercise of that number
    size_t n;       // of this step: the serial step's is bounded
    size_t edges_n; // right at n, and being verified at this one; else 0
    enum outcome outcome;
    char complaint[COMPLAINT_SIZE]; // when WRONG or FAILED: what, where, and what it suggests

    struct launch_record launch; // the largest; block[0] is 0 when nothing was launched
    int registers;               // a thread
    bool registers_estimated;    // not from the compiled code
    size_t shared_bytes;         // a block, static and dynamic
    struct occupancy occupancy;  // of several launches the highest

    struct timing timing;
    struct value time_ms;       // the median
    struct value bandwidth_gbs; // 2 n n 4 bytes / time: useful bytes only
    struct profile profile;
};

// How far the run has come.
enum readiness { NOT_READY, DEVICE_READY, BASELINES_READY };

struct run_data {
    enum readiness readiness;
    bool no_gpu; // no CUDA device at all can be used
    struct device device;
    size_t n;
    struct timing cpu;                  // the CPU's transpose, on all cores
    struct timing copy;                 // the device's own copy of n x n floats
    char copy_why[WHY_SIZE];            // why that was not timed (no launches); "" when it was
    char counters_note[COMPLAINT_SIZE]; // why nothing is counted, and what to do; "" when it is
    char fatal[FAILURE_SIZE];           // why the run cannot go on at all; "" when it can
    int fatal_status;                   // and the exit status for it
    int count;                          // of the lesson's steps that are run
    int reference_count; // of the references of those that are exercises: they come last
    struct result results[2 * MAX_STEPS];
};

// The step that the result is of.
const struct step *result_step(const struct result *result);

// The reference's result for the exercise at `place`, or NULL.
const struct result *reference_result(const struct run_data *run, int place);

// The size that the step of this number runs at when the run has n. The serial steps' is bounded, and
// that of an exercise that follows one, because it starts as the step before.
size_t step_size(int step, size_t n);

// Useful bytes of a transpose or a copy (every element is read once and written once) over time, in
// 1e9 bytes a second; 0 for a time of 0.
double bandwidth_gbs(size_t n, double ms);

#endif
