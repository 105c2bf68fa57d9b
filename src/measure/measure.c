#include "measure/measure.h"

#include "facts/matrix_size.h"
#include "facts/shared_results.h"
#include "measure/instruments.h"
#include "measure/nvtx_ranges.h"
#include "measure/process_end.h"
#include "measure/resource_limits.h"
#include "measure/roofs.h"
#include "measure/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One process's work on a run.
struct session {
    const struct measuring *asked;
    struct measurement *measurement;
    struct run *run; // the measurement's
    const struct note_sender *sender;
    struct profiler *profiler;   // NULL: nothing is counted
    struct problem full;         // of the run's n
    struct problem small;        // of SERIAL_MAX_N, once a serial step needs it
    struct problem edges[EDGES]; // of edges_n, once an exercise needs them
};

static const size_t edges_n[EDGES] = {EDGES_N, EDGES_N_BY_4};

static void tell(const struct session *session, enum note_kind kind, int place)
{
    session->sender->send(session->sender->context, (struct note){.kind = kind, .place = place});
}

static void fail_run(struct session *session, int status, const char *failure)
{
    snprintf(session->measurement->fatal, FAILURE_SIZE, "%s", failure);
    session->measurement->fatal_status = status;
}

static const char unmeasured[] = "the step was not measured";

static void start_step(struct step_result *result, size_t n)
{
    result->n = n;
    for (int i = 0; i < METRICS; i++)
        result->values[i] = value_unavailable("%s", unmeasured);
    drop_counts(result, unmeasured);
}

static void start_run(const struct measuring *asked, struct run *run)
{
    run->n = asked->n ? asked->n : matrix_size_default(&run->device);
    run->extra_count = asked->extra_count;
    memcpy(run->extra_names, asked->extra_names, sizeof run->extra_names);
    for (int i = 0; i < step_places(run); i++)
        start_step(&run->steps[i], step_size((int)run->steps[i].number, run->n));
}

static bool open_device(struct session *session)
{
    struct run *run = session->run;
    char failure[FAILURE_SIZE];
    if (!device_open(session->asked->device, &run->device, failure)) {
        session->measurement->no_gpu = device_none();
        fail_run(session, EXIT_NO_DEVICE, failure);
        return false;
    }
    if (session->measurement->readiness < DEVICE_READY) {
        start_run(session->asked, run);
        session->measurement->readiness = DEVICE_READY;
        tell(session, NOTE_DEVICE, 0);
    }
    return true;
}

static void no_beat(void *context)
{
    (void)context;
}

// The simulated device's clock stands still without its model.
static const char no_model[] = "the timing model gave none: see APODKIT_SIM_MODEL";

// What a time on the run's device is.
static enum provenance clock_of(const struct run *run)
{
    return run->device.simulated ? MODELLED : MEASURED;
}

static cudaError_t launch_copy(void *context)
{
    return problem_launch_copy(context);
}

// The matrices, and the CPU's and the device's own time over them.
static bool prepare_matrices(struct session *session)
{
    struct run *run = session->run;
    bool first = session->measurement->readiness < BASELINES_READY;
    char failure[FAILURE_SIZE];
    struct timed_work copy = {.what = "the device's copy",
                              .launch = launch_copy,
                              .beat = no_beat,
                              .context = &session->full};
    int reps = run->device.simulated ? 1 : session->asked->reps; // the model says the same again
    if (!problem_open(&session->full, run->n, first ? &run->cpu : NULL, failure) ||
        (first && !time_launches(&copy, reps, &run->copy, failure))) {
        fail_run(session, EXIT_WRONG, failure);
        return false;
    }
    if (first && !measure_roofs(&session->full, (int)session->asked->reps, run->roofs, failure)) {
        fail_run(session, EXIT_WRONG, failure);
        return false;
    }
    bool timed = run->copy.median_ms > 0;
    if (!timed)
        run->copy = (struct timing){.launches = 0};
    run->copy_gbs = timed ? value_of(bandwidth_gbs(run->n, run->copy.median_ms), clock_of(run))
                          : value_unavailable("%s", no_model);
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
    const struct measuring *asked = session->asked;
    char *note = session->run->counters_note;
    const struct lab *lab = step_of(&session->run->steps[0])->lab;
    if (!asked->profile && lab && !*lab->watched)
        snprintf(note, COMPLAINT_SIZE, "not counted: this lab is about times; --metrics counts");
    else if (!asked->profile)
        snprintf(note, COMPLAINT_SIZE, "not counted: --no-profile");
    else if (!instruments.counters)
        snprintf(note, COMPLAINT_SIZE, "%s", instruments.why_not.counters);
    else if (*note == '\0') // else a process before this one has found out that it is no use
        session->profiler = instruments.counters->open(asked->extra_expressions, asked->extra_count,
                                                       note, COMPLAINT_SIZE);
}

// A step on its way, and what comes of it.
struct attempt {
    struct trial trial;
    struct session *session;
    struct step_result *result;
    double useful_bytes; // at the result's n
};

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
    if ((unsigned)blocks < occupancy->blocks) // of a carve-out that the kernel asked for
        occupancy->limit = LIMIT_SHARED;
    occupancy->blocks = (unsigned)blocks; // the runtime's word counts, the limit is ours
    occupancy->warps = (unsigned)blocks * ((needs.threads + 31) / 32);
    return true;
}

// Of several launches the occupancy is the highest of any, because what they achieve is counted over all of
// them.
static bool find_occupancy(struct step_result *result, const struct device *device, char *failure)
{
    size_t count;
    const struct launch_record *shapes = launches_shapes(&count);
    struct occupancy most = {.warps = 0};
    for (size_t i = 0; i < count; i++) {
        struct occupancy occupancy;
        if (!ask_occupancy(&shapes[i], device, &occupancy, failure))
            return false;
        if (i == 0 || occupancy.warps > most.warps)
            most = occupancy;
    }
    result->occupancy_limit = most.limit;
    if (device->sm.warps > 0)
        result->values[THEORETICAL_OCCUPANCY] =
            value_of(100.0 * most.warps / device->sm.warps, COMPUTED);
    return true;
}

// What the runtime knows of the launch: registers, shared memory.
static bool describe_launch(struct trial *trial, char *failure)
{
    const struct attempt *attempt = (const struct attempt *)trial;
    const struct device *device = &attempt->session->run->device;
    struct step_result *result = attempt->result;
    struct launch_needs needs;
    if (!launch_needs(&trial->launched, &needs, failure))
        return false;
    result->values[REGISTERS] = value_of(needs.registers, needs.registers_estimated ? MODELLED
                                                          : device->simulated       ? COUNTED
                                                                                    : MEASURED);
    result->values[SHARED_BYTES] =
        value_of((double)needs.shared_bytes, device->simulated ? COUNTED : MEASURED);
    return find_occupancy(result, device, failure);
}

static void take_time(const struct attempt *attempt, double ms, enum provenance provenance)
{
    struct step_result *result = attempt->result;
    double gbs = ms > 0 ? attempt->useful_bytes * 1e-9 / (ms * 1e-3) : 0;
    result->values[TIME_MS] = value_of(ms, provenance);
    result->values[BANDWIDTH_GBS] = value_of(gbs, provenance);
}

// Why the simulated device has no time: what kept its model from predicting the rest did that too.
static const char *why_untimed(const struct step_result *result)
{
    const struct value *other = &result->values[ACHIEVED_OCCUPANCY];
    return *other->why ? other->why : no_model;
}

// One launch on the simulated device is verified, counted and timed at once: the time is the
// model's, and takes the kernel to have run before; where a step launches several, see simulate_again().
static cudaError_t simulate(struct attempt *attempt)
{
    const struct session *session = attempt->session;
    struct step_result *result = attempt->result;
    struct trial *trial = &attempt->trial;
    struct stopwatch watch;
    char failure[FAILURE_SIZE];
    double ms = 0;
    bool timed = stopwatch_start(&watch, failure);
    if (!timed)
        (void)cudaGetLastError(); // it is none of the kernel's
    if (session->profiler)
        instruments.counters->measure(session->profiler, trial_launch_watched, trial, result);
    else
        trial_launch_watched(trial);
    cudaError_t error = trial->error == cudaSuccess ? cudaDeviceSynchronize() : trial->error;
    if (timed && stopwatch_stop(&watch, &ms, failure) && ms > 0)
        take_time(attempt, ms, MODELLED);
    else if (error == cudaSuccess)
        result->values[TIME_MS] = result->values[BANDWIDTH_GBS] =
            value_unavailable("%s", timed ? why_untimed(result) : failure);
    return error;
}

static cudaError_t launch_to_verify(void *context)
{
    struct attempt *attempt = context;
    return attempt->session->run->device.simulated ? simulate(attempt) : trial_launch(context);
}

static enum outcome verify(struct attempt *attempt)
{
    struct trial *trial = &attempt->trial;
    struct step_result *result = attempt->result;
    enum outcome outcome =
        trial_verify(trial, launch_to_verify, describe_launch, result->complaint);
    result->launched = trial->launched.block[0] > 0;
    result->launches = trial->launched.count;
    memcpy(result->grid, trial->launched.grid, sizeof result->grid);
    memcpy(result->block, trial->launched.block, sizeof result->block);
    return outcome;
}

// Of several launches the time and the counts are taken again, as each finds in the L2 what the others left on a GPU, where the
// step is launched over and over. The first time, which was verified, each was taken to find what it had left itself.
static void simulate_again(struct attempt *attempt)
{
    struct trial *trial = &attempt->trial;
    if (attempt->result->launches < 2 || attempt->result->values[TIME_MS].provenance != MODELLED)
        return;
    trial_beat(trial); // it may hang this time, too
    trial->error = cudaErrorMemoryAllocation;
    if (instruments.launches_follow(true))
        trial->error = simulate(attempt);
    (void)instruments.launches_follow(false);
    trial_tell(trial, false);
}

static void count(struct attempt *attempt)
{
    const struct session *session = attempt->session;
    struct step_result *result = attempt->result;
    if (session->profiler && !session->run->device.simulated) {
        range_push("counters");
        instruments.counters->measure(session->profiler, trial_launch_watched, &attempt->trial,
                                      result);
        range_pop();
    } else if (!session->profiler) {
        char why[WHY_SIZE];
        const char *note = session->run->counters_note;
        snprintf(why, sizeof why, "%.*s", (int)strcspn(note, "\n"), note);
        drop_counts(result, why);
    }
    metrics_derive(result->values, session->run->device.dram_peak_gbs);
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

static enum outcome verify_edges_of(const struct attempt *attempt, size_t n)
{
    struct session *session = attempt->session;
    struct step_result *result = attempt->result, edges = *result;
    struct attempt at_edges = *attempt;
    edges.n = n;
    at_edges.result = &edges;
    at_edges.trial.problem = problem_for(session, n, result->complaint);
    if (!at_edges.trial.problem)
        return FAILED;
    session->measurement->edges_n = n; // should this process not come back from it
    enum outcome outcome = verify(&at_edges);
    session->measurement->edges_n = 0;
    if (outcome == VERIFIED)
        return VERIFIED;
    edges.n = result->n;
    blame_edges(&edges, n);
    *result = edges;
    return outcome;
}

// At the run's size no guard may be needed: an exercise, or a kernel of one's own, must be right where blocks and tiles are
// incomplete too. What goes wrong there is the result.
static enum outcome verify_edges(const struct attempt *attempt)
{
    enum outcome outcome = VERIFIED;
    for (int i = 0; i < EDGES && outcome == VERIFIED; i++)
        outcome = verify_edges_of(attempt, edges_n[i]);
    return outcome;
}

// Asks the step for them. False with a complaint when what it says is no count of bytes.
static bool ask_useful_bytes(struct attempt *attempt)
{
    struct step_result *result = attempt->result;
    const struct step *step = attempt->trial.step;
    if (!step->workload) {
        attempt->useful_bytes = useful_bytes(result);
        return true;
    }
    trial_call(&attempt->trial, USEFUL_BYTES);
    attempt->useful_bytes = step->workload->useful_bytes(result->n);
    trial_tell(&attempt->trial, false);
    if (attempt->useful_bytes >= 1 && isfinite(attempt->useful_bytes))
        return true;
    snprintf(result->complaint, COMPLAINT_SIZE,
             "useful_bytes() in %s returned %g at n = %zu: it must say how many bytes any such "
             "kernel has to read and write, 1 at least",
             step->file, attempt->useful_bytes, result->n);
    return false;
}

// Whether the device has no such point of a lab; the complaint says why.
static bool is_lacking(const struct step *step, char *complaint)
{
    const char *why = step_lacks(step);
    if (why)
        snprintf(complaint, COMPLAINT_SIZE, "%s", why);
    return why;
}

static enum outcome try_step(struct session *session, int place)
{
    struct step_result *result = &session->run->steps[place];
    if (is_lacking(step_of(result), result->complaint))
        return NOT_KNOWN;
    struct attempt attempt = {.trial = {.step = step_of(result),
                                        .sender = session->sender,
                                        .note = {.kind = NOTE_PHASE, .place = place}},
                              .session = session,
                              .result = result};
    struct trial *trial = &attempt.trial;
    trial_tell(trial, false);
    trial->problem = problem_for(session, result->n, result->complaint);
    if (!trial->problem || !ask_useful_bytes(&attempt))
        return FAILED;

    enum outcome outcome = verify(&attempt);
    if (outcome == VERIFIED && session->run->device.simulated)
        simulate_again(&attempt);
    if (outcome == VERIFIED && trial->error == cudaSuccess &&
        (trial->step->goals || trial->step->workload))
        outcome = verify_edges(&attempt);
    if (outcome != VERIFIED) {
        result->values[THEORETICAL_OCCUPANCY] = value_unavailable("%s", unmeasured);
        return outcome;
    }
    if (!session->run->device.simulated) {
        if (!trial_time(trial, session->asked->reps, false, &result->timing, result->complaint))
            return FAILED;
        take_time(&attempt, result->timing.median_ms, MEASURED);
    }
    count(&attempt);
    char label[STEP_LABEL_SIZE];
    if (trial->error == cudaSuccess)
        trial->error = cudaDeviceSynchronize();
    return cuda_ok(trial->error, result->complaint, "%s, launched again to be counted",
                   step_label(trial->step->number, label))
               ? VERIFIED
               : FAILED;
}

static enum outcome measure_step(struct session *session, int place)
{
    const struct step *step = step_find((int)session->run->steps[place].number);
    char name[STEP_NAME_SIZE], label[STEP_LABEL_SIZE];
    step_name(step->file, name);
    range_push("%s %s", step_label(step->number, label), name);
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
    const struct measuring *measuring = context;
    struct session session = {.asked = measuring,
                              .measurement = measuring->measurement,
                              .run = &measuring->measurement->run,
                              .sender = sender};
    struct run *run = session.run;
    resource_limits_keep();
    if (!open_device(&session) || !open_matrices(&session)) {
        problem_close(&session.full);
        return;
    }
    open_counters(&session);
    if (session.measurement->readiness < BASELINES_READY) {
        session.measurement->readiness = BASELINES_READY;
        tell(&session, NOTE_BASELINES, 0);
    }

    bool lost = false;
    for (int i = 0; i < step_places(run) && !lost; i++) {
        if (run->steps[i].outcome != PENDING)
            continue;
        run->steps[i].outcome = measure_step(&session, i);
        lost = !resource_limits_restore() ||
               (run->steps[i].outcome != VERIFIED && (cuda_is_lost() || !restore_inputs(&session)));
        tell(&session, NOTE_STEP, i);
    }
    if (session.profiler)
        instruments.counters->close(session.profiler);
    for (int i = 0; i < EDGES; i++)
        problem_close(&session.edges[i]);
    problem_close(&session.small);
    problem_close(&session.full);
}

// ---- The supervisor's side -------------------------------------------------------------------------

static bool take_device(struct measurement *kept, const struct measuring *asked)
{
    struct device device = asked->measurement->run.device;
    if (kept->readiness != NOT_READY || !device_sound(&device))
        return false;
    kept->run.device = device;
    start_run(asked, &kept->run);
    kept->readiness = DEVICE_READY;
    return true;
}

static bool take_baselines(struct measurement *kept, const struct run *run)
{
    struct timing cpu = run->cpu, copy = run->copy;
    struct value copy_gbs = run->copy_gbs;
    struct roof_result roofs[ROOFS];
    char note[COMPLAINT_SIZE];
    memcpy(note, run->counters_note, sizeof note);
    memcpy(roofs, run->roofs, sizeof roofs);
    if (kept->readiness != DEVICE_READY || !timing_sound(&cpu) || !timing_sound(&copy) ||
        !value_sound(&copy_gbs) || !roofs_sound(roofs) || !text_sound(note, sizeof note))
        return false;
    kept->run.cpu = cpu;
    kept->run.copy = copy;
    kept->run.copy_gbs = copy_gbs;
    memcpy(kept->run.roofs, roofs, sizeof roofs);
    memcpy(kept->run.counters_note, note, sizeof note);
    kept->readiness = BASELINES_READY;
    return true;
}

// Which step it is, nobody else needs to say.
static bool take_step(struct step_result *kept, const struct step_result *came)
{
    struct step_result step = *came;
    if (!step_result_sound(&step))
        return false;
    step.number = kept->number;
    step.reference = kept->reference;
    memcpy(step.title, kept->title, sizeof step.title);
    *kept = step;
    return true;
}

// The first that is pending.
static int next_place(const struct run *run)
{
    int place = 0;
    while (place < step_places(run) && run->steps[place].outcome != PENDING)
        place++;
    return place;
}

bool measurement_take(struct measurement *kept, const struct measuring *asked, struct note note)
{
    struct run *run = &kept->run;
    const struct run *came = &asked->measurement->run;
    bool is_next = kept->readiness == BASELINES_READY && note.place == next_place(run) &&
                   note.place < step_places(run);
    switch (note.kind) {
    case NOTE_DEVICE:
        return take_device(kept, asked);
    case NOTE_BASELINES:
        return take_baselines(kept, came);
    case NOTE_PHASE:
        return is_next;
    case NOTE_STEP:
        return is_next && take_step(&run->steps[note.place], &came->steps[note.place]);
    default:
        return false;
    }
}

void measurement_take_failure(struct measurement *kept, const struct measuring *asked)
{
    const struct measurement *came = asked->measurement;
    snprintf(kept->fatal, FAILURE_SIZE, "%.*s", FAILURE_SIZE - 1, came->fatal);
    kept->fatal_status = came->fatal_status;
    kept->no_gpu = came->no_gpu;
}

size_t measurement_edges_n(const struct measuring *asked)
{
    size_t n = asked->measurement->edges_n;
    return n == edges_n[0] || n == edges_n[1] ? n : 0;
}
