// The measuring itself: opens the device, measures the baselines and then each pending step, and
// writes what it finds into the run's data. It can be run again after it crashed: what is already
// there is not done twice.
#ifndef MEASURE_H
#define MEASURE_H

#include "facts/run.h"
#include "measure/supervise.h"

// The notes that the measuring sends.
enum note_kind {
    NOTE_DEVICE,    // run.device and run.n are known
    NOTE_BASELINES, // run.cpu and run.copy are known, and whether anything is counted
    NOTE_PHASE,     // the step at `place` of run.steps is worked on
    NOTE_STEP,      // the step at `place` is done: its outcome is no longer PENDING
};

// How far the run has come.
enum readiness { NOT_READY, DEVICE_READY, BASELINES_READY };

// A run while it is measured. The worker's is in memory shared with the supervisor, which keeps one of its own.
struct measurement {
    enum readiness readiness;
    bool no_gpu;              // no CUDA device at all can be used
    char fatal[FAILURE_SIZE]; // why the run cannot go on at all; "" when it can
    int fatal_status;         // and the exit status for it
    size_t
        edges_n; // the step that is worked on was right at its n, and is verified at this one; else 0
    struct run run;
};

// What is asked of it.
struct measuring {
    size_t n;    // 0: the device's default
    long reps;   // 0: as many as fit
    long device; // of CUDA's
    bool profile;
    int extra_count;
    const char (*extra_names)[METRIC_NAME_SIZE];
    const char *const *extra_expressions; // CUPTI's, for the names
    struct measurement *measurement;
};

// A supervised_work; the context is a struct measuring. When it returns, either measurement->fatal is set,
// or no step is pending, or the last step lost the device, or lowered a limit, and the rest needs a new process.
void measure_run(void *measuring, const struct note_sender *sender);

// Of the supervisor: takes over into `kept` what the note says is done, from what the worker left in
// asked->measurement. False when that cannot be read, or the note comes at the wrong time: nothing is taken then.
bool measurement_take(struct measurement *kept, const struct measuring *asked, struct note note);

// The same, once the worker has ended before its first step: why it cannot go on.
void measurement_take_failure(struct measurement *kept, const struct measuring *asked);

// And once it has ended in a step: the size it had come to beside the run's, or 0.
size_t measurement_edges_n(const struct measuring *asked);

#endif
