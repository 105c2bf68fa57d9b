#include "measure/launch_in_turns.h"

#include "facts/matrix_size.h"
#include "facts/shared_results.h"
#include "measure/process_end.h"
#include "measure/resource_limits.h"
#include "measure/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UPS = 5, LOOK_EVERY = 10, LEAST_ROUNDS = 20 };

// The device is known; the candidate at the place is at work (at tuning->count, all in turns); it is done; all are.
enum note_kind { NOTE_DEVICE, NOTE_AT_WORK, NOTE_DONE, NOTE_JUDGED };

// One process's work. What it finds is in memory shared with the supervisor.
struct worker {
    const struct turns *asked;
    struct tuning *shared;
    struct tuning *kept; // the supervisor's
    int place;           // of the candidate that is at work, -1 before the first
    enum step_function function;
    const struct note_sender *sender;
    struct problem problem;
};

// A candidate on its way.
struct attempt {
    struct trial trial;
    struct candidate *candidate;
};

static struct attempt attempt_at(struct worker *worker, int place)
{
    struct candidate *candidate = &worker->shared->candidates[place];
    return (struct attempt){.trial = {.step = step_find(candidate->number),
                                      .problem = &worker->problem,
                                      .sender = worker->sender,
                                      .note = {.kind = NOTE_AT_WORK, .place = place}},
                            .candidate = candidate};
}

static void tell(const struct worker *worker, enum note_kind kind, int place)
{
    worker->sender->send(worker->sender->context, (struct note){.kind = kind, .place = place});
}

// ---- In the worker: each of them once ---------------------------------------------------------------

// The simulated device's time is that of the verified launch: its model takes the kernel to have run before.
static cudaError_t launch_timed(void *context)
{
    struct attempt *attempt = context;
    struct stopwatch watch;
    char failure[FAILURE_SIZE];
    double ms = 0;
    bool timed = stopwatch_start(&watch, failure);
    cudaError_t error = trial_launch(&attempt->trial);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    if (timed && stopwatch_stop(&watch, &ms, failure))
        attempt->candidate->timing =
            (struct timing){.median_ms = ms, .min_ms = ms, .max_ms = ms, .launches = 1};
    return error;
}

static void try_candidate(struct worker *worker, int place)
{
    struct attempt attempt = attempt_at(worker, place);
    struct candidate *candidate = attempt.candidate;
    const char *why = step_lacks(attempt.trial.step);
    candidate->state = CANDIDATE_LACKING;
    if (why) {
        snprintf(candidate->complaint, COMPLAINT_SIZE, "%s", why);
        return;
    }
    enum outcome outcome =
        trial_verify(&attempt.trial, worker->shared->device.simulated ? launch_timed : trial_launch,
                     NULL, candidate->complaint);
    candidate->state = outcome == VERIFIED ? CANDIDATE_RIGHT : CANDIDATE_WRONG;
    if (outcome != VERIFIED)
        candidate->timing = (struct timing){.launches = 0}; // of what is wrong
}

// False when another process must go on.
static bool try_all(struct worker *worker)
{
    struct tuning *tuning = worker->shared;
    char failure[FAILURE_SIZE];
    resource_limits_keep();
    for (int i = 0; i < tuning->count; i++) {
        if (tuning->candidates[i].state != CANDIDATE_PENDING)
            continue;
        tell(worker, NOTE_AT_WORK, i);
        try_candidate(worker, i);
        bool goes_on = resource_limits_restore() &&
                       (tuning->candidates[i].state != CANDIDATE_WRONG ||
                        (!cuda_is_lost() && problem_restore_input(&worker->problem, failure)));
        tell(worker, NOTE_DONE, i);
        if (!goes_on)
            return false;
    }
    return true;
}

// ---- In the worker: all of them in turns --------------------------------------------------------------

// Those that are launched, by their places, and behind them the device's copy.
struct race {
    struct worker *worker;
    int places[MAX_STEPS], count;
    cudaEvent_t events[MAX_STEPS + 2]; // before the first, and behind each
    int order[MAX_STEPS + 1];          // of a round: places among them, or `count` for the copy
    float *ms;                         // MOST_ROUNDS rows, of the copy in the last column
    struct rounds rounds;
};

static bool launch_and_mark(struct race *race, int turn, int who, char failure[FAILURE_SIZE])
{
    struct worker *worker = race->worker;
    cudaError_t error;
    if (who == race->count) {
        error = problem_launch_copy(&worker->problem);
    } else {
        struct attempt attempt = attempt_at(worker, race->places[who]);
        attempt.trial.note.place = worker->shared->count;
        trial_beat(&attempt.trial);
        error = trial_launch(&attempt.trial);
    }
    return cuda_ok(error, failure, "launching in turns") &&
           cuda_ok(cudaEventRecord(race->events[turn + 1], 0), failure, "cudaEventRecord");
}

// Another order each time: what a launch leaves in the L2 is there for another one then.
static void shuffle(struct race *race)
{
    for (int i = 0; i <= race->count; i++) {
        int other = rand() % (i + 1);
        race->order[i] = race->order[other];
        race->order[other] = i;
    }
}

// One launch of each, and of the copy. All are given to the device before the first ends, behind a copy that nobody
// times, so that it does not wait for the host. A negative round warms up.
static bool run_round(struct race *race, int round, char failure[FAILURE_SIZE])
{
    int all = race->count + 1;
    shuffle(race);
    bool good = cuda_ok(problem_launch_copy(&race->worker->problem), failure, "copying") &&
                cuda_ok(cudaEventRecord(race->events[0], 0), failure, "cudaEventRecord");
    for (int turn = 0; good && turn < all; turn++)
        good = launch_and_mark(race, turn, race->order[turn], failure);
    good = good && cuda_ok(cudaDeviceSynchronize(), failure, "running in turns");
    for (int turn = 0; good && round >= 0 && turn < all; turn++) {
        int who = race->order[turn];
        int column = who == race->count ? race->rounds.stride - 1 : race->places[who];
        good = cuda_ok(cudaEventElapsedTime(&race->ms[round * race->rounds.stride + column],
                                            race->events[turn], race->events[turn + 1]),
                       failure, "cudaEventElapsedTime");
    }
    return good;
}

// Judges after so many rounds, and leaves behind who is beaten.
static void look(struct race *race, int rounds)
{
    struct tuning *tuning = race->worker->shared;
    int left = 0;
    for (int i = 0; i < race->count; i++)
        race->rounds.of[race->places[i]] = rounds;
    tuning_judge(tuning, &race->rounds);
    for (int i = 0; i < race->count; i++)
        if (tuning->candidates[race->places[i]].state != CANDIDATE_BEATEN)
            race->places[left++] = race->places[i];
    race->count = left;
    tuning->rounds = rounds;
}

// Until one is left, or the launches do not tell who is faster of those that are.
static bool run_rounds(struct race *race, char failure[FAILURE_SIZE])
{
    bool good = true;
    for (int round = -WARM_UPS; good && round < MOST_ROUNDS; round++) {
        good = run_round(race, round, failure);
        int done = round + 1;
        if (good && done >= LEAST_ROUNDS && done % LOOK_EVERY == 0) {
            look(race, done);
            if (race->count == 1)
                break;
        }
    }
    return good;
}

static bool race_all(struct worker *worker, struct race *race, char failure[FAILURE_SIZE])
{
    struct tuning *tuning = worker->shared;
    bool good = true;
    for (int i = 0; i < tuning->count; i++)
        if (tuning->candidates[i].state == CANDIDATE_RIGHT)
            race->places[race->count++] = i;
    for (int i = 0; good && i < race->count + 2; i++)
        good = cuda_ok(cudaEventCreate(&race->events[i]), failure, "cudaEventCreate");
    tell(worker, NOTE_AT_WORK, tuning->count);
    return good && (race->count == 0 || run_rounds(race, failure));
}

static bool race(struct worker *worker, char failure[FAILURE_SIZE])
{
    int stride = worker->shared->count + 1;
    float *ms = calloc((size_t)MOST_ROUNDS * (size_t)stride, sizeof *ms);
    struct race race = {.worker = worker, .ms = ms, .rounds = {.ms = ms, .stride = stride}};
    bool good = ms ? race_all(worker, &race, failure)
                   : host_memory_failed(failure, "the turns",
                                        (size_t)MOST_ROUNDS * (size_t)stride * sizeof *ms);
    for (int i = 0; i < MAX_STEPS + 2 && race.events[i]; i++)
        (void)cudaEventDestroy(race.events[i]);
    free(ms);
    return good;
}

static bool open_all(struct worker *worker)
{
    struct tuning *tuning = worker->shared;
    if (!device_open(worker->asked->device, &tuning->device, tuning->fatal)) {
        tuning->no_gpu = device_none();
        return false;
    }
    if (tuning->n == 0)
        tuning->n = matrix_size_default(&tuning->device);
    tell(worker, NOTE_DEVICE, 0);
    return problem_open(&worker->problem, tuning->n, NULL, tuning->fatal);
}

static void work(void *context, const struct note_sender *sender)
{
    struct worker *worker = context;
    struct tuning *tuning = worker->shared;
    worker->sender = sender;
    if (open_all(worker) && try_all(worker)) {
        bool simulated = tuning->device.simulated;
        if (simulated)
            tuning_judge_modelled(tuning);
        if (simulated || race(worker, tuning->fatal))
            tell(worker, NOTE_JUDGED, 0);
    }
    problem_close(&worker->problem);
}

// ---- In the supervisor -------------------------------------------------------------------------------------

static bool take_candidate(struct worker *worker, int place)
{
    struct candidate came = worker->shared->candidates[place];
    struct candidate *kept = &worker->kept->candidates[place];
    if (!candidate_sound(&came) || came.state == CANDIDATE_PENDING)
        return false;
    came.number = kept->number;
    came.predicted_ms = kept->predicted_ms;
    *kept = came;
    return true;
}

static bool take_device(struct worker *worker)
{
    struct device device = worker->shared->device;
    size_t n = worker->shared->n;
    if (!device_sound(&device) || n < 1 || n > MAX_N)
        return false;
    worker->kept->device = device;
    worker->kept->n = n;
    return true;
}

static bool take_all(struct worker *worker)
{
    int rounds = worker->shared->rounds;
    bool good = rounds >= 0 && rounds <= MOST_ROUNDS;
    for (int i = 0; good && i < worker->kept->count; i++)
        good = take_candidate(worker, i);
    worker->kept->rounds = rounds;
    return good;
}

static bool handle(void *context, struct note note)
{
    struct worker *worker = context;
    const struct tuning *kept = worker->kept;
    if (note.function < 0 || note.function >= STEP_FUNCTIONS || note.place < 0 ||
        note.place > kept->count)
        return false;
    worker->function = note.function;
    switch ((enum note_kind)note.kind) {
    case NOTE_DEVICE:
        return take_device(worker);
    case NOTE_AT_WORK:
        if (worker->place != note.place)
            worker->asked->show(kept, note.place);
        worker->place = note.place;
        return true;
    case NOTE_DONE:
        return note.place < kept->count && note.place == worker->place &&
               take_candidate(worker, note.place);
    case NOTE_JUDGED:
        worker->place = kept->count;
        return take_all(worker);
    }
    return false;
}

// A process that ended in a candidate: the candidate is wrong. In the turns or outside, nothing comes of it all.
static void blame(struct worker *worker, enum process_end ending, int status)
{
    struct tuning *kept = worker->kept;
    if (ending == ENDED)
        ending = GARBLED;
    if (worker->place >= 0 && worker->place < kept->count) {
        struct candidate *candidate = &kept->candidates[worker->place];
        candidate->state = CANDIDATE_WRONG;
        explain_process_end(ending, status, worker->asked->timeout_s, step_find(candidate->number),
                            worker->function, true, candidate->complaint);
    } else if (ending == NOT_STARTED) {
        snprintf(kept->fatal, FAILURE_SIZE, "no process can be started for the candidates: %s",
                 strerror(status));
    } else if (worker->place == kept->count) {
        snprintf(kept->fatal, FAILURE_SIZE,
                 "the candidates were right each by itself, and launched in turns their process "
                 "ended, or did not answer: does one of them write where it should not? "
                 "compute-sanitizer may tell");
    } else {
        snprintf(kept->fatal, FAILURE_SIZE,
                 "the device does not answer, or the process for the candidates ended before the "
                 "first of them. Does nvidia-smi?");
    }
}

static int pending(const struct tuning *tuning)
{
    return tuning_count(tuning, CANDIDATE_PENDING);
}

// Has one process go as far as it comes. Whether all is judged.
static bool work_once(struct worker *worker)
{
    struct tuning *kept = worker->kept;
    const struct supervision supervision = {.work = work,
                                            .work_context = worker,
                                            .handle = handle,
                                            .handler_context = worker,
                                            .timeout_s = worker->asked->timeout_s,
                                            .output = worker->asked->output};
    int status, before = pending(kept);
    *worker->shared = *kept;
    worker->place = -1;
    worker->function = LAUNCH;
    enum process_end ending = supervise(&supervision, &status);
    bool stopped = worker->place >= 0 && worker->place < kept->count &&
                   kept->candidates[worker->place].state == CANDIDATE_PENDING;
    if (ending == ENDED && !stopped && *worker->shared->fatal) {
        snprintf(kept->fatal, FAILURE_SIZE, "%.*s", FAILURE_SIZE - 1, worker->shared->fatal);
        kept->no_gpu = worker->shared->no_gpu;
    } else if (ending != ENDED || stopped ||
               (worker->place < kept->count && pending(kept) == before)) {
        blame(worker, ending, status);
    }
    return ending == ENDED && worker->place == kept->count;
}

bool launch_in_turns(const struct turns *turns, struct tuning *tuning)
{
    struct worker worker = {.asked = turns, .kept = tuning};
    worker.shared = shared_open(sizeof *worker.shared);
    if (!worker.shared) {
        snprintf(tuning->fatal, FAILURE_SIZE, "mmap of %zu bytes for the candidates: %s",
                 sizeof *worker.shared, strerror(errno));
        return false;
    }
    while (!*tuning->fatal && !work_once(&worker))
        ;
    shared_close(worker.shared, sizeof *worker.shared);
    return !*tuning->fatal;
}
