// ./run [STEP...]: measures the steps under supervision and prints what comes of it.
#define _GNU_SOURCE // mmap(MAP_ANONYMOUS)
#include "verbs/verbs.h"

#include "advice/standing.h"
#include "base/programs.h"
#include "base/progress.h"
#include "facts/comparison.h"
#include "files/json.h"
#include "measure/ending.h"
#include "measure/measure.h"
#include "measure/profiler.h"
#include "show/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The supervisor's side of a run.
struct session {
    const struct options *options;
    struct run_data *run;
    struct report report;
    bool silent;                   // the JSON goes to standard output, so the report does not
    int place;                     // of the step that is worked on, -1 before the first
    const struct record *baseline; // to compare with afterwards, or NULL
};

static void show_step_progress(const struct session *session)
{
    char text[128];
    const struct result *result = &session->run->results[session->place];
    const struct step *step = result_step(result);
    snprintf(text, sizeof text, "%sstep %d: %.80s", result->reference ? "the reference's " : "",
             step->number, step->title);
    progress_say(text);
}

static void handle(void *context, struct note note)
{
    struct session *session = context;
    bool panels = !session->silent && !session->options->summary_only;
    switch ((enum note_kind)note.kind) {
    case NOTE_DEVICE:
        progress_wipe();
        if (!session->silent)
            report_device(&session->report, session->run);
        progress_say("preparing the matrices");
        break;
    case NOTE_BASELINES:
        progress_wipe();
        if (!session->silent)
            report_counters_note(&session->report, session->run);
        break;
    case NOTE_PHASE:
        if (session->place != note.place) {
            session->place = note.place;
            show_step_progress(session);
        }
        break;
    case NOTE_STEP:
        progress_wipe();
        if (panels && note.place < session->run->count)
            report_panel(&session->report, session->run, note.place);
        break;
    }
    fflush(session->report.file);
}

// A step whose process ended without a word: says so in its place.
static void blame_step(struct session *session, enum ending ending, int status)
{
    struct result *result = &session->run->results[session->place];
    result->outcome = FAILED;
    explain_ending(ending, status, session->options->timeout_s, result_step(result),
                   result->edges_n == 0, result->complaint);
    if (result->edges_n > 0)
        blame_edges(result);
    handle(session, (struct note){.kind = NOTE_STEP, .place = session->place});
}

static void fail(struct run_data *run, enum ending ending, int status)
{
    run->fatal_status = EXIT_WRONG;
    if (ending == NOT_STARTED)
        snprintf(
            run->fatal, FAILURE_SIZE,
            "no process can be started for the steps: %s. End other programs, or run the steps "
            "in this process with --timeout 0.",
            strerror(status));
    else if (ending == HUNG)
        snprintf(run->fatal, FAILURE_SIZE, "the device does not answer. Does nvidia-smi?");
    else
        snprintf(
            run->fatal, FAILURE_SIZE,
            "the process for the steps ended by itself, outside any step (signal %d). Did a step "
            "damage the host's memory? `./run --timeout 0` under a debugger shows where.",
            status);
}

static int pending(const struct run_data *run)
{
    int count = 0;
    for (int i = 0; i < run->count + run->reference_count; i++)
        count += run->results[i].outcome == PENDING;
    return count;
}

// The steps that can no longer be tried fail for the reason given.
static void give_up_pending(struct session *session, const char *why)
{
    for (int i = 0; i < session->run->count + session->run->reference_count; i++) {
        struct result *result = &session->run->results[i];
        if (result->outcome != PENDING)
            continue;
        result->outcome = FAILED;
        snprintf(result->complaint, COMPLAINT_SIZE, "not run: %s", why);
        handle(session, (struct note){.kind = NOTE_STEP, .place = i});
    }
}

// Measures until no step is pending. A step that takes its process down gets the blame, and a new
// process goes on with the next one, as long as each gets some further.
static void measure_supervised(struct session *session)
{
    struct run_data *run = session->run;
    struct measuring measuring = {.options = session->options, .run = run};
    struct supervision supervision = {.work = measure_run,
                                      .work_context = &measuring,
                                      .handle = handle,
                                      .handler_context = session,
                                      .timeout_s = session->options->timeout_s};
    progress_say("opening the device");
    for (int before = pending(run), left; before > 0 && !*run->fatal; before = left) {
        session->place = -1;
        int status;
        enum ending ending = supervise(&supervision, &status);
        bool in_a_step = ending != ENDED && session->place >= 0 &&
                         run->results[session->place].outcome == PENDING;
        if (in_a_step)
            blame_step(session, ending, status);
        if (ending == ENDED && supervision.timeout_s == 0 && !*run->fatal)
            give_up_pending(session, "a step before it lost the device; without --timeout 0 a new "
                                     "process would go on after it");
        left = pending(run);
        bool crashed_at_its_end = ending != ENDED && !in_a_step && left == 0;
        if (!*run->fatal && (left == before || crashed_at_its_end))
            fail(run, ending, status);
    }
    if (*run->fatal && run->readiness == BASELINES_READY)
        give_up_pending(session, run->fatal); // what was measured is still worth a report
}

static void choose_steps(const struct options *options, struct run_data *run)
{
    for (int i = 0; i < step_count(); i++)
        if (options->chosen[i])
            run->results[run->count++].step = step_at(i)->number;
    for (int i = 0; options->references && i < run->count; i++)
        if (step_reference(run->results[i].step)) {
            struct result *result = &run->results[run->count + run->reference_count++];
            *result = (struct result){.step = run->results[i].step, .reference = true};
        }
}

// Complaints go to standard error too: the report may be in a pipe, or not be printed at all.
static int judge(const struct run_data *run)
{
    int status = EXIT_GOOD;
    for (int i = 0; i < run->count + run->reference_count; i++) {
        const struct result *result = &run->results[i];
        if (result->outcome == VERIFIED)
            continue;
        fprintf(stderr, "apodkit: %sstep %d %s: %s\n", result->reference ? "the reference's " : "",
                result->step, result->outcome == WRONG ? "gave a wrong result" : "failed",
                result->complaint);
        status = EXIT_WRONG;
    }
    return status;
}

static bool print_against_baseline(const struct session *session)
{
    struct record *now = record_of_run(session->run, "this run");
    if (!now)
        return false;
    struct comparison comparison;
    comparison_make(&comparison, session->baseline, now);
    report_comparison_in_short(&session->report, &comparison);
    fflush(stdout);
    free(now);
    return true;
}

// What was asked for beside the report. False after a message.
static bool hand_out(const struct session *session)
{
    const struct options *options = session->options;
    bool good = !session->baseline || print_against_baseline(session);
    if (options->json && !json_finish(options->json, json_of_run(session->run, NULL)))
        good = false;
    if (options->save && !save_run(options->save, session->run))
        good = false;
    return good;
}

// How the exercises stand, and the summary.
static void put_conclusion(const struct session *session)
{
    const struct run_data *run = session->run;
    for (int i = 0; i < run->count; i++) {
        struct standing standing;
        if (standing_of(run, i, &standing))
            report_standing(&session->report, run, &standing);
    }
    report_summary(&session->report, run);
}

static int conclude(const struct session *session)
{
    const struct run_data *run = session->run;
    int status = EXIT_GOOD;
    progress_wipe();
    if (run->readiness == BASELINES_READY) {
        if (!session->silent)
            put_conclusion(session);
        fflush(stdout);
        status = judge(run);
        if (!hand_out(session))
            status = EXIT_WRONG;
    }
    if (*run->fatal) {
        fprintf(stderr, "apodkit: %s\n", run->fatal);
        status = run->fatal_status;
    }
    return status;
}

// What can be told to be wrong before the work. The baseline is the caller's to free.
static int prepare(const struct options *options, struct record **baseline)
{
    *baseline = NULL;
    if (options->baseline && !(*baseline = record_open(options->baseline)))
        return EXIT_USAGE;
    if (options->save && !save_possible(options->save))
        return EXIT_USAGE;
    return options->json && !json_writable(options->json) ? EXIT_WRONG : EXIT_GOOD;
}

// Measures and reports under the options.
static int run_steps(const struct options *options, const struct record *baseline, char **argv)
{
    struct run_data *run =
        mmap(NULL, sizeof *run, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (run == MAP_FAILED) {
        fprintf(stderr, "apodkit: mmap of %zu bytes for the results: %s\n", sizeof *run,
                strerror(errno));
        return EXIT_WRONG;
    }
    choose_steps(options, run);
    struct session session = {
        .options = options,
        .run = run,
        .report = {.file = stdout, .style = style_for(stdout, options->color)},
        .silent = options->json && strcmp(options->json, "-") == 0,
        .place = -1,
        .baseline = baseline};
    measure_supervised(&session);
    if (run->no_gpu && options->choice == GPU_IF_ANY && !profiler_simulates()) {
        progress_wipe();
        (void)program_become(true, argv); // without that program, the reason why is what is left
    }
    int status = conclude(&session);
    munmap(run, sizeof *run);
    return status;
}

int run_main(int argc, char **argv)
{
    struct options options;
    switch (options_parse(argc, argv, &options)) {
    case PARSED_DONE:
        return EXIT_GOOD;
    case PARSED_WRONG:
        return EXIT_USAGE;
    case PARSED_RUN:
        break;
    }
    if (!program_choose(options.choice, options.sim_device, argv))
        return EXIT_NO_DEVICE;
    // A setting in the environment that makes no sense ends the program here, while it is one.
    (void)profiler_checks_accesses();
    struct record *baseline;
    int status = prepare(&options, &baseline);
    if (status == EXIT_GOOD)
        status = run_steps(&options, baseline, argv);
    free(baseline);
    return status;
}
