#include "measure/trial.h"

#include "measure/nvtx_ranges.h"

static void send(const struct trial *trial, bool limited, enum step_function function)
{
    struct note note = trial->note;
    note.limited = limited;
    note.function = function;
    trial->sender->send(trial->sender->context, note);
}

void trial_tell(const struct trial *trial, bool limited)
{
    send(trial, limited, LAUNCH);
}

void trial_call(const struct trial *trial, enum step_function function)
{
    send(trial, true, function);
}

cudaError_t trial_launch(void *context)
{
    const struct trial *trial = context;
    step_start(trial->step, problem_output(trial->problem), problem_input(trial->problem),
               trial->problem->n);
    return cudaGetLastError();
}

void trial_beat(void *trial)
{
    trial_tell(trial, true);
}

// Nothing but the launch may take time before the kernel runs: the counters are running.
void trial_launch_watched(void *context)
{
    struct trial *trial = context;
    trial->error = trial_launch(trial);
    trial_beat(trial);
}

enum outcome trial_verify(struct trial *trial, timed_launch *launch,
                          bool (*look)(struct trial *trial, char *complaint), char *complaint)
{
    const struct step *step = trial->step;
    if (step->workload)
        trial_call(trial, COMPUTE);
    problem_expect(trial->problem, step->workload);
    trial_tell(trial, false);
    if (!problem_poison_output(trial->problem, complaint))
        return FAILED;
    launches_forget();
    trial_beat(trial);
    range_push("verified launch");
    trial->error = launch(trial);
    if (trial->error == cudaSuccess)
        trial->error = cudaDeviceSynchronize();
    range_pop();
    trial->launched = launches_largest();
    trial_tell(trial, false); // what follows is the host's work
    if (!launch_ok(trial->error, &trial->launched, step->number, step->file, trial->problem->n,
                   complaint, COMPLAINT_SIZE) ||
        (look && !look(trial, complaint)))
        return FAILED;
    return problem_verify(trial->problem, launch_tile(&trial->launched), complaint, COMPLAINT_SIZE)
               ? VERIFIED
               : WRONG;
}

bool trial_time(struct trial *trial, int reps, bool brief, struct timing *timing, char *complaint)
{
    char label[STEP_LABEL_SIZE];
    struct timed_work work = {.what = step_label(trial->step->number, label),
                              .launch = trial_launch,
                              .beat = trial_beat,
                              .context = trial,
                              .brief = brief};
    return time_launches(&work, reps, timing, complaint);
}
