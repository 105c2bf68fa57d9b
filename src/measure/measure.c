#include "measure/measure.h"

#include "measure/ending.h"
#include "measure/problem.h"
#include "measure/profiler.h"
#include "measure/ranges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One process's work on a run.
struct session {
    const struct options *options;
    struct run_data *run;
    const struct note_sender *sender;
    struct profiler *profiler;   // NULL: nothing is counted
    struct problem full;         // of the run's n
    struct problem small;        // of SERIAL_MAX_N, once a serial step needs it
    struct problem edges[EDGES]; // of edges_n, once an exercise needs them
};

static const size_t edges_n[EDGES] = {EDGES_N, EDGES_N_BY_4};

static void tell(const struct session *session, enum note_kind kind, int place, bool limited)
{
    struct note note = {.kind = kind, .place = place, .limited = limited};
    session->sender->send(session->sender->context, note);
}

static void fail_run(struct session *session, int status, const char *failure)
{
    snprintf(session->run->fatal, FAILURE_SIZE, "%s", failure);
    session->run->fatal_status = status;
}

static void start_result(const struct options *options, struct result *result, size_t n)
{
    const char *why = "the step was not measured";
    result->n = n;
    result->time_ms = result->bandwidth_gbs = value_unavailable("%s", why);
    result->profile.extra_count = options->extra_count;
    for (int i = 0; i < options->extra_count; i++)
        snprintf(result->profile.extras[i].name, METRIC_NAME_SIZE, "%s", options->extra_names[i]);
    profile_set_unavailable(&result->profile, why);
}

static bool open_device(struct session *session)
{
    struct run_data *run = session->run;
    char failure[FAILURE_SIZE];
    if (!device_open(session->options->device, &run->device, failure)) {
        int count = 0;
        run->no_gpu = cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
        fail_run(session, EXIT_NO_DEVICE, failure);
        return false;
    }
    if (run->readiness < DEVICE_READY) {
        run->n = session->options->n ? session->options->n : device_default_n(&run->device);
        for (int i = 0; i < run->count + run->reference_count; i++)
            start_result(session->options, &run->results[i],
                         step_size(run->results[i].step, run->n));
        run->readiness = DEVICE_READY;
        tell(session, NOTE_DEVICE, 0, false);
    }
    return true;
}

static void no_beat(void *context)
{
    (void)context;
}

// The simulated device's clock stands still without its model.
static const char no_model[] = "the timing model gave none: see APODKIT_SIM_MODEL";

static cudaError_t launch_copy(void *context)
{
    const struct problem *problem = context;
    return cudaMemcpyAsync(problem_output(problem), problem_input(problem),
                           problem->n * problem->n * sizeof(float), cudaMemcpyDeviceToDevice, 0);
}

// The matrices, and the CPU's and the device's own time over them.
static bool prepare_matrices(struct session *session)
{
    struct run_data *run = session->run;
    bool first = run->readiness < BASELINES_READY;
    char failure[FAILURE_SIZE];
    struct timed_work copy = {.what = "the device's copy",
                              .launch = launch_copy,
                              .beat = no_beat,
                              .context = &session->full};
    int reps = run->device.simulated ? 1 : session->options->reps; // the model says the same again
    if (!problem_open(&session->full, run->n, first ? &run->cpu : NULL, failure) ||
        (first && !time_launches(&copy, reps, &run->copy, failure))) {
        fail_run(session, EXIT_WRONG, failure);
        return false;
    }
    if (run->copy.median_ms <= 0) {
        run->copy = (struct timing){.launches = 0};
        snprintf(run->copy_why, sizeof run->copy_why, "%s", no_model);
    }
    return true;
}

static bool open_matrices(struct session *session)
{
    range_push("matrices and baselines");
    bool good = prepare_matrices(session);
    range_pop();
    return good;
}

static void open_counters(struct session *session)
{
    const struct options *options = session->options;
    char *note = session->run->counters_note;
    if (!options->profile)
        snprintf(note, COMPLAINT_SIZE, "not counted: --no-profile");
    else if (*note == '\0') // else a process before this one has found out that it is no use
        session->profiler =
            profiler_open(options->extra_expressions, options->extra_count, note, COMPLAINT_SIZE);
}

// A step on its way.
struct trial {
    struct session *session;
    const struct step *step;
    struct problem *problem;
    int place;
    cudaError_t error; // of the last launch that was counted
};

static cudaError_t launch_step(void *context)
{
    const struct trial *trial = context;
    trial->step->launch(problem_output(trial->problem), problem_input(trial->problem),
                        trial->problem->n);
    return cudaGetLastError();
}

static void beat(void *context)
{
    const struct trial *trial = context;
    tell(trial->session, NOTE_PHASE, trial->place, true);
}

// Nothing but the launch may take time before the kernel runs: the counters are running.
static void launch_for_counters(void *context)
{
    struct trial *trial = context;
    trial->error = launch_step(trial);
    beat(trial);
}

// How many blocks of a launch an SM holds.
static bool ask_occupancy(const struct launch_record *launch, const struct device *device,
                          struct occupancy *occupancy, char *failure)
{
    struct launch_needs needs;
    int blocks = 0;
    if (!launch_needs(launch, &needs, failure) ||
        !cuda_ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                     &blocks, launch->kernel, (int)needs.threads, launch->dynamic_shared),
                 failure, "the occupancy of the launched kernel"))
        return false;
    *occupancy =
        occupancy_of(&device->sm, needs.threads, (unsigned)needs.registers, needs.shared_bytes);
    occupancy->blocks = (unsigned)blocks; // the runtime's word counts, the limit is ours
    occupancy->warps = (unsigned)blocks * ((needs.threads + 31) / 32);
    return true;
}

// What the runtime knows of the launch: registers, shared memory. Of several launches the occupancy is
// the highest of any, because what they achieve is counted over all of them.
static bool describe_launch(struct result *result, const struct device *device, char *failure)
{
    struct launch_needs needs;
    if (!launch_needs(&result->launch, &needs, failure))
        return false;
    result->registers = needs.registers;
    result->registers_estimated = needs.registers_estimated;
    result->shared_bytes = needs.shared_bytes;

    size_t count;
    const struct launch_record *shapes = launches_shapes(&count);
    for (size_t i = 0; i < count; i++) {
        struct occupancy occupancy;
        if (!ask_occupancy(&shapes[i], device, &occupancy, failure))
            return false;
        if (i == 0 || occupancy.warps > result->occupancy.warps)
            result->occupancy = occupancy;
    }
    return true;
}

// Why the simulated device has no time: what kept its model from predicting the rest did that too.
static const char *why_untimed(const struct profile *profile)
{
    const struct value *other = &profile->metrics[ACHIEVED_OCCUPANCY];
    return *other->why ? other->why : no_model;
}

// One launch on the simulated device is verified, counted and timed at once: the time is the
// model's, and takes the kernel to have run before.
static cudaError_t simulate(struct trial *trial, struct result *result)
{
    const struct session *session = trial->session;
    struct stopwatch watch;
    char failure[FAILURE_SIZE];
    double ms = 0;
    bool timed = stopwatch_start(&watch, failure);
    if (session->profiler)
        profiler_measure(session->profiler, launch_for_counters, trial, &result->profile);
    else
        trial->error = launch_step(trial);
    cudaError_t error = trial->error == cudaSuccess ? cudaDeviceSynchronize() : trial->error;
    if (!timed || !stopwatch_stop(&watch, &ms, failure) || ms <= 0) {
        result->time_ms = result->bandwidth_gbs =
            value_unavailable("%s", why_untimed(&result->profile));
    } else {
        result->time_ms = value_of(ms, MODELLED);
        result->bandwidth_gbs = value_of(bandwidth_gbs(result->n, ms), MODELLED);
    }
    return error;
}

static cudaError_t launch_to_verify(struct trial *trial, struct result *result)
{
    if (trial->session->run->device.simulated)
        return simulate(trial, result);
    trial->error = launch_step(trial);
    return trial->error == cudaSuccess ? cudaDeviceSynchronize() : trial->error;
}

// One launch into a poisoned output. Returns FAILED, WRONG or VERIFIED, with a complaint.
static enum outcome verify(struct trial *trial, struct result *result)
{
    char *complaint = result->complaint;
    if (!problem_poison_output(trial->problem, complaint))
        return FAILED;
    launches_forget();
    beat(trial);
    range_push("verified launch");
    cudaError_t error = launch_to_verify(trial, result);
    range_pop();
    result->launch = launches_largest();
    tell(trial->session, NOTE_PHASE, trial->place, false); // what follows is the host's work
    if (!launch_ok(error, &result->launch, result->step, trial->step->file, result->n, complaint,
                   COMPLAINT_SIZE) ||
        !describe_launch(result, &trial->session->run->device, complaint))
        return FAILED;
    return problem_verify(trial->problem, launch_tile(&result->launch), complaint, COMPLAINT_SIZE)
               ? VERIFIED
               : WRONG;
}

static void count(struct trial *trial, struct result *result)
{
    const struct session *session = trial->session;
    if (session->profiler && !session->run->device.simulated) {
        range_push("counters");
        profiler_measure(session->profiler, launch_for_counters, trial, &result->profile);
        range_pop();
    } else if (!session->profiler) {
        char why[WHY_SIZE];
        const char *note = session->run->counters_note;
        snprintf(why, sizeof why, "%.*s", (int)strcspn(note, "\n"), note);
        profile_set_unavailable(&result->profile, why);
    }
    profile_derive(&result->profile, &result->time_ms, session->run->device.dram_peak_gbs);

    const struct sm_limits *sm = &session->run->device.sm;
    if (sm->warps > 0)
        result->profile.metrics[THEORETICAL_OCCUPANCY] =
            value_of(100.0 * result->occupancy.warps / sm->warps, MODELLED);
}

static bool time_step(struct trial *trial, struct result *result)
{
    char what[32];
    snprintf(what, sizeof what, "step %d", result->step);
    struct timed_work work = {.what = what, .launch = launch_step, .beat = beat, .context = trial};
    if (!time_launches(&work, trial->session->options->reps, &result->timing, result->complaint))
        return false;
    result->time_ms = value_of(result->timing.median_ms, MEASURED);
    result->bandwidth_gbs = value_of(bandwidth_gbs(result->n, result->timing.median_ms), MEASURED);
    return true;
}

// The matrices of a size: the run's, the serial steps' or one of edges_n. NULL with the complaint when
// they cannot be made.
static struct problem *problem_for(struct session *session, size_t n, char *complaint)
{
    if (n == session->run->n)
        return &session->full;
    struct problem *problem = &session->small;
    for (int i = 0; i < EDGES; i++)
        if (n == edges_n[i])
            problem = &session->edges[i];
    if (problem->n == 0 && !problem_open(problem, n, NULL, complaint))
        return NULL;
    return problem;
}

static enum outcome verify_edges_of(struct trial *trial, struct result *result, size_t n)
{
    struct result edges = *result;
    edges.n = n;
    trial->problem = problem_for(trial->session, n, result->complaint);
    if (!trial->problem)
        return FAILED;
    result->edges_n = n; // should this process not come back from it
    enum outcome outcome = verify(trial, &edges);
    result->edges_n = 0;
    trial->problem = problem_for(trial->session, result->n, result->complaint);
    if (outcome == VERIFIED)
        return VERIFIED;
    edges.n = result->n;
    edges.edges_n = n;
    blame_edges(&edges);
    *result = edges;
    return outcome;
}

// At the run's size no guard may be needed: an exercise must be right where blocks and tiles are
// incomplete too. What goes wrong there is the result.
static enum outcome verify_edges(struct trial *trial, struct result *result)
{
    enum outcome outcome = VERIFIED;
    for (int i = 0; i < EDGES && outcome == VERIFIED; i++)
        outcome = verify_edges_of(trial, result, edges_n[i]);
    return outcome;
}

static enum outcome try_step(struct session *session, int place)
{
    struct result *result = &session->run->results[place];
    struct trial trial = {.session = session, .step = result_step(result), .place = place};
    tell(session, NOTE_PHASE, place, false);
    trial.problem = problem_for(session, result->n, result->complaint);
    if (!trial.problem)
        return FAILED;

    enum outcome outcome = verify(&trial, result);
    if (outcome == VERIFIED && trial.step->goals)
        outcome = verify_edges(&trial, result);
    if (outcome != VERIFIED)
        return outcome;
    if (!session->run->device.simulated && !time_step(&trial, result))
        return FAILED;
    count(&trial, result);
    if (trial.error == cudaSuccess)
        trial.error = cudaDeviceSynchronize();
    return cuda_ok(trial.error, result->complaint,
                   "the kernel of step %d, launched again to be counted", result->step)
               ? VERIFIED
               : FAILED;
}

static enum outcome measure_step(struct session *session, int place)
{
    const struct step *step = step_find(session->run->results[place].step);
    char name[STEP_NAME_SIZE];
    step_name(step, name);
    range_push("step %d %s", step->number, name);
    enum outcome outcome = try_step(session, place);
    range_pop();
    return outcome;
}

static bool restore_input(struct problem *problem, char failure[FAILURE_SIZE])
{
    return problem->n == 0 || problem_restore_input(problem, failure);
}

// A step that is not right may have written to its input, which the steps after it read too. False when
// the device does not do even that any more.
static bool restore_inputs(struct session *session)
{
    char failure[FAILURE_SIZE]; // a new process will say what is wrong, if it is
    bool good = restore_input(&session->full, failure) && restore_input(&session->small, failure);
    for (int i = 0; i < EDGES; i++)
        good = good && restore_input(&session->edges[i], failure);
    return good;
}

void measure_run(void *context, const struct note_sender *sender)
{
    struct measuring *measuring = context;
    struct session session = {
        .options = measuring->options, .run = measuring->run, .sender = sender};
    struct run_data *run = session.run;
    if (!open_device(&session) || !open_matrices(&session)) {
        problem_close(&session.full);
        return;
    }
    open_counters(&session);
    if (run->readiness < BASELINES_READY) {
        run->readiness = BASELINES_READY;
        tell(&session, NOTE_BASELINES, 0, false);
    }

    bool lost = false;
    for (int i = 0; i < run->count + run->reference_count && !lost; i++) {
        if (run->results[i].outcome != PENDING)
            continue;
        run->results[i].outcome = measure_step(&session, i);
        lost = run->results[i].outcome != VERIFIED && (cuda_is_lost() || !restore_inputs(&session));
        tell(&session, NOTE_STEP, i, false);
    }
    profiler_close(session.profiler);
    for (int i = 0; i < EDGES; i++)
        problem_close(&session.edges[i]);
    problem_close(&session.small);
    problem_close(&session.full);
}
