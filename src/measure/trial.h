// A step on its way: its launch, verified, and made again for whoever times, counts or looks at it.
#ifndef TRIAL_H
#define TRIAL_H

#include "facts/launches.h"
#include "facts/run.h"
#include "measure/problem.h"
#include "measure/process_end.h"
#include "measure/supervise.h"
#include "measure/timing.h"

struct trial {
    const struct step *step;
    struct problem *problem; // of the size
    const struct note_sender *sender;
    struct note note;              // whose kind and place all that are sent have
    struct launch_record launched; // the largest of the verified launch
    cudaError_t error;             // of the last that trial_verify() or trial_launch_watched() made
};

// Says that the device is at work now, and so the time limited, or that the host is.
void trial_tell(const struct trial *trial, bool limited);

// Says that this function of the step's is called now on the host, and limited.
void trial_call(const struct trial *trial, enum step_function function);

// Launches it once on the default stream, and says that the device is at work: a timed_launch and a timing_beat,
// with the trial as their context; both: a watched_launch (instruments.h).
cudaError_t trial_launch(void *trial);
void trial_beat(void *trial);
void trial_launch_watched(void *trial);

// One launch into the poisoned output, by `launch` (trial_launch(), or what does as much), is waited for; after it
// `look`, unless it is NULL, has its say; and the output is compared. FAILED, WRONG or VERIFIED, with a complaint
// of COMPLAINT_SIZE bytes.
enum outcome trial_verify(struct trial *trial, timed_launch *launch,
                          bool (*look)(struct trial *trial, char *complaint), char *complaint);

// Times launches (time_launches()).
bool trial_time(struct trial *trial, int reps, bool brief, struct timing *timing, char *complaint);

#endif
