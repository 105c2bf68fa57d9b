// The measuring itself: opens the device, measures the baselines and then each pending step, and
// writes what it finds into the run's data. It can be run again after it crashed: what is already
// there is not done twice.
#ifndef MEASURE_H
#define MEASURE_H

#include "facts/run_data.h"
#include "measure/supervise.h"
#include "verbs/options.h"

// The notes that the measuring sends.
enum note_kind {
    NOTE_DEVICE,    // run->device and run->n are known
    NOTE_BASELINES, // run->cpu and run->copy are known, and whether anything is counted
    NOTE_PHASE,     // the step at `place` of run->results is worked on
    NOTE_STEP,      // the step at `place` is done: its outcome is no longer PENDING
};

struct measuring {
    const struct options *options;
    struct run_data *run; // in memory shared with the supervisor
};

// A supervised_work; the context is a struct measuring. When it returns, either run->fatal is set,
// or no step is pending, or the last step lost the device and the rest needs a new process.
void measure_run(void *measuring, const struct note_sender *sender);

#endif
