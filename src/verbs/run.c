// ./run [STEP...]: measures the steps under supervision and prints what comes of it.
#include "advice/exercise_goals.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "base/untrusted_text.h"
#include "facts/comparison.h"
#include "facts/version.h"
#include "files/csv.h"
#include "files/json.h"
#include "files/predictions.h"
#include "files/run_read.h"
#include "files/save.h"
#include "measure/measure.h"
#include "measure/process_end.h"
#include "show/report.h"
#include "verbs/ask_predictions.h"
#include "verbs/refused_counters.h"
#include "verbs/run_options.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

// The supervisor's side of a run.
struct session {
    const struct options *options;
    struct measurement *measurement; // what was taken over from the worker
    struct run *run;                 // the measurement's
    struct measuring asked;          // of the worker
    struct report report;
    bool silent;    // the JSON goes to standard output, so the report does not
    bool stands_in; // counters are refused: the panels wait for the simulated device's counts
    int place;      // of the step that is worked on, -1 before the first
    enum step_function function; // of its, that is at work
    struct answers answers;      // with --predict
    const struct run *baseline;  // to compare with afterwards, or NULL
};

static void show_step_progress(const struct session *session)
{
    char text[128], label[STEP_LABEL_SIZE];
    const struct step_result *result = &session->run->steps[session->place];
    snprintf(text, sizeof text, "%s%s: %s", result->reference ? "the reference's " : "",
             step_label(result->number, label), step_of(result)->title);
    progress_say(text);
}

// Whether only the attendee's own steps are run: with none named, where the program has any.
static bool is_about_exercises(const struct options *options)
{
    bool has_any = false;
    for (int i = 0; i < step_count(); i++)
        has_any = has_any || step_at(i)->goals;
    return has_any && !options->names_steps && !options->summary_only;
}

// Whether the step at that place of the lesson is what the run is about.
static bool is_asked_for(const struct options *options, int place)
{
    return place < step_count() && options->chosen[place] &&
           (step_at(place)->goals || !is_about_exercises(options));
}

static bool is_named(const struct options *options, const struct step_result *result)
{
    int place = 0;
    while (place < step_count() && step_at(place)->number != result->number)
        place++;
    return (options->names_steps || is_about_exercises(options)) && is_asked_for(options, place);
}

// With no step named, the last one's panel is shown: its change against the one before is in it. What
// went wrong is always said.
static bool shows_panel(const struct session *session, int place)
{
    const struct options *options = session->options;
    const struct run *run = session->run;
    if (session->silent || options->summary_only || options->lab || place >= run->count)
        return false;
    return is_named(options, &run->steps[place]) || place == run->count - 1 ||
           run->steps[place].outcome != VERIFIED;
}

static void show(struct session *session, struct note note)
{
    switch ((enum note_kind)note.kind) {
    case NOTE_DEVICE:
        progress_wipe();
        if (!session->silent)
            report_device(&session->report, session->run);
        progress_say("preparing the matrices");
        break;
    case NOTE_BASELINES:
        progress_wipe();
        session->stands_in = stand_in_wanted(session->run, session->options->profile);
        if (!session->silent)
            report_counters_note(&session->report, session->run, session->stands_in);
        break;
    case NOTE_PHASE:
        if (session->place != note.place) {
            session->place = note.place;
            show_step_progress(session);
        }
        break;
    case NOTE_STEP:
        progress_wipe();
        if (!session->options->predict && !session->stands_in && shows_panel(session, note.place))
            report_panel(&session->report, session->run, note.place);
        break;
    }
    fflush(session->report.file);
}

static bool handle(void *context, struct note note)
{
    struct session *session = context;
    bool makes_sense = note.function >= 0 && note.function < STEP_FUNCTIONS &&
                       measurement_take(session->measurement, &session->asked, note);
    if (makes_sense) {
        session->function = note.function;
        show(session, note);
    }
    return makes_sense;
}

// A step whose process ended without a word: says so in its place.
static void blame_step(struct session *session, enum process_end end, int status)
{
    struct step_result *result = &session->run->steps[session->place];
    size_t edges_n = measurement_edges_n(&session->asked);
    result->outcome = FAILED;
    explain_process_end(end, status, session->options->timeout_s, step_of(result),
                        session->function, edges_n == 0, result->complaint);
    if (edges_n > 0)
        blame_edges(result, edges_n);
    show(session, (struct note){.kind = NOTE_STEP, .place = session->place});
}

static void fail(struct measurement *measurement, enum process_end end, int status)
{
    measurement->fatal_status = EXIT_WRONG;
    if (end == NOT_STARTED)
        snprintf(measurement->fatal, FAILURE_SIZE,
                 "no process can be started for the steps: %s. End other programs, or run the "
                 "steps in this process with --timeout 0.",
                 strerror(status));
    else if (end == STARVED)
        explain_want_of_memory(measurement->fatal, FAILURE_SIZE);
    else if (end == HUNG)
        snprintf(measurement->fatal, FAILURE_SIZE, "the device does not answer. Does nvidia-smi?");
    else if (end == CRASHED && status == SIGKILL)
        snprintf(measurement->fatal, FAILURE_SIZE,
                 "the process for the steps was killed (signal 9), outside any step: by you, by a "
                 "limit (ulimit -t), or by the system for want of memory; then a smaller n (-n) "
                 "helps.");
    else
        snprintf(measurement->fatal, FAILURE_SIZE,
                 "the process for the steps ended by itself, outside any step (%s %d). Did a step "
                 "damage the host's memory? `./run --timeout 0` under a debugger shows where.",
                 end == CRASHED ? "signal" : "exit status", status);
}

static int pending(const struct run *run)
{
    int count = 0;
    for (int i = 0; i < step_places(run); i++)
        count += run->steps[i].outcome == PENDING;
    return count;
}

// The steps that can no longer be tried fail for the reason given.
static void give_up_pending(struct session *session, const char *why)
{
    for (int i = 0; i < step_places(session->run); i++) {
        struct step_result *result = &session->run->steps[i];
        if (result->outcome != PENDING)
            continue;
        result->outcome = FAILED;
        snprintf(result->complaint, COMPLAINT_SIZE, "not run: %s", why);
        show(session, (struct note){.kind = NOTE_STEP, .place = i});
    }
}

// Has a worker measure what is pending.
static enum process_end supervise_once(struct session *session,
                                       const struct supervision *supervision, int *status)
{
    session->place = -1;
    *session->asked.measurement = *session->measurement;
    enum process_end end = supervise(supervision, status);
    if (session->place < 0)
        measurement_take_failure(session->measurement, &session->asked);
    return end;
}

// Measures until no step is pending. A step that takes its process down gets the blame, and a new
// process goes on with the next one, as long as each gets some further.
static void measure_supervised(struct session *session)
{
    struct measurement *measurement = session->measurement;
    struct run *run = session->run;
    struct supervision supervision = {.work = measure_run,
                                      .work_context = &session->asked,
                                      .handle = handle,
                                      .handler_context = session,
                                      .timeout_s = (double)session->options->timeout_s,
                                      .output = session->silent ? stderr : stdout};
    progress_say("opening the device");
    for (int before = pending(run), left; before > 0 && !*measurement->fatal; before = left) {
        int status;
        enum process_end end = supervise_once(session, &supervision, &status);
        bool in_a_step = session->place >= 0 && run->steps[session->place].outcome == PENDING;
        if (in_a_step) // one that ends well has said of it how it came out
            blame_step(session, end == ENDED ? GARBLED : end, status);
        if (end == ENDED && supervision.timeout_s == 0 && !*measurement->fatal)
            give_up_pending(session, "a step before it lost the device, or lowered a limit of the "
                                     "process; without --timeout 0 a new one would go on after it");
        left = pending(run);
        bool crashed_at_its_end = end != ENDED && !in_a_step && left == 0;
        if (!*measurement->fatal && (left == before || crashed_at_its_end))
            fail(measurement, end, status);
    }
    if (*measurement->fatal && measurement->readiness == BASELINES_READY)
        give_up_pending(session, measurement->fatal); // what was measured is still worth a report
}

// Those whose panels are shown are counted first, and what their changes are measured from.
static void count_elsewhere(struct session *session)
{
    struct run *run = session->run;
    bool first[MAX_STEPS] = {false};
    for (int i = 0; i < run->count; i++)
        if (shows_panel(session, i)) {
            first[i] = true;
            first[i > 0 ? i - 1 : 0] = true;
        }
    stand_in_count(run, first);
    for (int i = 0; i < run->count; i++)
        if (!session->options->predict && shows_panel(session, i))
            report_panel(&session->report, run, i);
}

static void add_step(struct step_result *result, const struct step *step, bool reference)
{
    *result = (struct step_result){.number = step->number, .reference = reference};
    foreign_copy(result->title, sizeof result->title, step->title);
}

static void choose_steps(const struct options *options, struct run *run)
{
    snprintf(run->label, sizeof run->label, "this run");
    snprintf(run->kit, sizeof run->kit, "apodkit " KIT_VERSION);
    for (int i = 0; i < step_count(); i++) // a gain that is predicted is one over the step before
        if (is_asked_for(options, i) || (options->predict && is_asked_for(options, i + 1)))
            add_step(&run->steps[run->count++], step_at(i), false);
    for (int i = 0; options->references && i < run->count; i++) {
        const struct step *reference = step_reference((int)run->steps[i].number);
        if (reference)
            add_step(&run->steps[run->count + run->reference_count++], reference, true);
    }
}

// Whether the device has none of the points of a lab.
static bool lacks_all(const struct run *run)
{
    int place = 0;
    while (place < run->count && run->steps[place].outcome == NOT_KNOWN)
        place++;
    return place > 0 && place == run->count;
}

// Complaints go to standard error too, unless the panel has just said them there: the report may be in a
// pipe, or not be printed at all.
static int judge(const struct session *session)
{
    const struct run *run = session->run;
    int status = EXIT_GOOD;
    char label[STEP_LABEL_SIZE];
    bool reads_both = output_is_stdout("/dev/stderr");
    for (int i = 0; i < step_places(run); i++) {
        const struct step_result *result = &run->steps[i];
        if (result->outcome == VERIFIED || result->outcome == NOT_KNOWN)
            continue;
        status = EXIT_WRONG;
        if (reads_both && shows_panel(session, i))
            continue;
        fprintf(stderr, "apodkit: %s%s %s: %s\n", result->reference ? "the reference's " : "",
                step_label(result->number, label),
                result->outcome == WRONG ? "gave a wrong result" : "failed", result->complaint);
    }
    if (!lacks_all(run))
        return status;
    fprintf(stderr, "apodkit: %s has none of these points: %s\n", run->device.name,
            run->steps[0].complaint);
    return EXIT_NO_DEVICE;
}

static void print_against_baseline(const struct session *session)
{
    struct comparison comparison;
    comparison_make(&comparison, session->baseline, session->run);
    report_comparison_in_short(&session->report, &comparison);
    fflush(stdout);
}

// Asks before each panel what will be in it. False when an answer was wrong that is not asked for again.
static bool show_predicted(struct session *session)
{
    struct prediction_record records[MAX_STEPS];
    int count = 0;
    for (int place = 0; place < session->run->count && !session->answers.wrong; place++) {
        if (!shows_panel(session, place))
            continue;
        struct prediction_record *record = &records[count++];
        ask_predictions(&session->answers, session->run, place, &session->report.style, record);
        if (session->answers.wrong)
            return false;
        report_panel(&session->report, session->run, place);
        report_predictions(&session->report, session->run, place, record);
    }
    return predictions_keep(records, count);
}

// What was asked for beside the report. False after a message.
static bool hand_out(const struct session *session)
{
    const struct options *options = session->options;
    bool good = !options->csv ||
                write_lab_csv(options->csv, session->run, options->lab, &options->selection);
    if (session->baseline)
        print_against_baseline(session);
    if (options->json && !json_finish(options->json, json_of_run(session->run)))
        good = false;
    if (options->save && !save_run(options->save, session->run))
        good = false;
    return good;
}

// The summary, and last how the exercises stand.
static void put_conclusion(const struct session *session)
{
    const struct run *run = session->run;
    const struct options *options = session->options;
    if (options->lab && !lacks_all(run))
        report_lab(&session->report, run, options->lab, &options->selection);
    else if (!options->lab && !is_about_exercises(options))
        report_summary(&session->report, run);
    for (int i = 0; i < run->count; i++) {
        struct exercise_result exercise;
        if (judge_exercise(run, i, &exercise))
            report_exercise(&session->report, run, &exercise);
    }
}

static int conclude(struct session *session)
{
    const struct measurement *measurement = session->measurement;
    int status = EXIT_GOOD;
    if (measurement->readiness == BASELINES_READY) {
        bool kept = !session->options->predict || show_predicted(session);
        if (session->answers.wrong)
            return EXIT_USAGE;
        if (!session->silent)
            put_conclusion(session);
        fflush(stdout);
        status = judge(session);
        if (!kept)
            status = EXIT_WRONG;
        if (!hand_out(session))
            status = EXIT_WRONG;
    }
    if (*measurement->fatal) {
        fprintf(stderr, "apodkit: %s\n", measurement->fatal);
        status = measurement->fatal_status;
    }
    return status;
}

// What can be told to be wrong before the work. The baseline is the caller's to free.
static int prepare(const struct options *options, struct run **baseline)
{
    *baseline = NULL;
    if (options->baseline && !(*baseline = run_open(options->baseline)))
        return EXIT_USAGE;
    return EXIT_GOOD;
}

// Measures and reports under the options.
static int report_steps(const struct options *options, const struct run *baseline,
                        struct measurement *kept, struct measurement *shared)
{
    struct session session = {
        .options = options,
        .measurement = kept,
        .run = &kept->run,
        .asked = {.n = options->n,
                  .reps = options->reps,
                  .device = options->device,
                  .profile = options->profile,
                  .extra_count = options->extra_count,
                  .extra_names = options->extra_names,
                  .extra_expressions = options->extra_expressions,
                  .measurement = shared},
        .report = {.file = stdout, .style = style_for(stdout, options->color)},
        .silent = is_stdout(options->json) || is_stdout(options->csv),
        .place = -1,
        .baseline = baseline};
    if (options->predict && !answers_open(&session.answers, options->predict))
        return EXIT_USAGE;
    choose_steps(options, session.run);
    measure_supervised(&session);
    progress_wipe();
    if (session.stands_in)
        count_elsewhere(&session);
    if (kept->no_gpu)
        program_without_gpu(options->choice, options->argv);
    int status = conclude(&session);
    answers_close(&session.answers);
    return status;
}

static int run_steps(const struct options *options, const struct run *baseline)
{
    struct measurement *kept = calloc(1, sizeof *kept), *shared = shared_open(sizeof *shared);
    int status = EXIT_WRONG;
    if (kept && shared)
        status = report_steps(options, baseline, kept, shared);
    else
        fprintf(stderr, "apodkit: there are no twice %zu bytes for the results: %s\n", sizeof *kept,
                strerror(errno));
    shared_close(shared, sizeof *shared);
    free(kept);
    return status;
}

static bool check(const struct options *options)
{
    if (options->predict && (options->summary_only || is_stdout(options->json))) {
        fprintf(stderr,
                "apodkit: --predict asks before a panel is shown, and %s shows none: leave out one "
                "of them\n",
                options->summary_only ? "--summary" : "--json -");
        return false;
    }
    if (!options->baseline || !is_stdout(options->json))
        return any_step_is_built(options);
    fprintf(stderr, "apodkit: --baseline prints for people, and --json - leaves them nothing: "
                    "write the JSON to a file, or use `./run compare --json -`\n");
    return false;
}

int run_main(const struct options *options)
{
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return EXIT_NO_DEVICE;
    struct run *baseline;
    int status = prepare(options, &baseline);
    if (status == EXIT_GOOD)
        status = run_steps(options, baseline);
    free(baseline);
    return status;
}

const struct option_row run_options[] = {
    N_ROW("matrices of N x N floats, 1.." /* MAX_N */ "1048576 (default: two of them hold at least "
          "8 times the L2; the serial step stays at 1024)"),
    REPS_ROW(1, 100000,
             "time R launches of each step (default: a third of a second's, 10 at least)"),
    JSON_ROW("write everything as JSON too; - for standard output, without the report"),
    FIELD_ROW("baseline", "RUN", RECORDED_RUN, baseline,
              "compare with a recorded run afterwards: a file of --json's, a saved run's name, "
              "gtc2012 (the case study's published panels), h200 or h100 (the kit's runs)"),
    FIELD_ROW("save", "NAME", TEXT, save,
              "keep the run in results/ for ./run history and ./run compare"),
    FIELD_ROW("summary", NULL, SET, summary_only, "print the summary alone"),
    FIELD_ROW("predict", "[=FILE]", INPUT, predict,
              "ask for a step's figures before its panel is shown, and score them: ./run progress "
              "has all; answers are typed, or a line each of FILE"),
    GPU_AND_SIM_ROWS("a GPU or nothing; the simulated device, even with a GPU, or as another GPU "
                     "than an H200: --sim=list shows them (default: a GPU if one can be used, else "
                     "the simulated device)"),
    FIELD_ROW("no-profile", NULL, CLEAR, profile, "do not read hardware counters: times only"),
    FIELD_ROW("no-reference", NULL, CLEAR, references,
              "do not run the kit's own step beside an exercise (make my4)"),
    PLAIN_ROW("metrics", "NAME,..", METRICS,
              "add metrics to the panel, by nvprof's or CUPTI's names (./run metrics)"),
    DEVICE_ROW("use CUDA device K (default 0)"),
    TIMEOUT_ROW(0, "30",
                "; 0: wait for ever and run the steps in this process, as a debugger wants it"),
    PLAIN_ROW("version", NULL, VERSION, "the kit's version"),
    PLAIN_ROW("manual", NULL, MANUAL,
              "all verbs' help as a manual page: ./run --manual | man -l -"),
    COLOR_AND_HELP_ROWS,
};

const struct options run_defaults = {.profile = true, .references = true, .timeout_s = 30};

const struct verb run_verb = {
    .takes = "[STEP...|all]",
    .about =
        "Verifies, measures and explains the steps: those named, or all, with a panel of the last "
        "one alone (./run all prints each step's). After make myN, yours, and how it stands.",
    .notes =
        "Replay overheads are stand-ins. On Fermi and Kepler the scheduler issued an "
        "instruction again for each further line or bank pass; since Volta the load/store "
        "unit splits it up by itself. The kit counts those passes:\n"
        "  global = Rg / (inst + Rg + Rs)   Rg = max(0, tags - max(requests, data bytes / "
        "128))\n"
        "Global and local cache replays have had no such event since Maxwell: the panel shows a "
        "dash.\n"
        "\n"
        "Exit status\n"
        "  0  all steps ran and every result is right\n"
        "  1  a result is wrong, a step failed, or what was asked for could not be written\n"
        "  2  the command line is wrong, a recorded run that it names, or an answer to --predict\n"
        "  3  there is no usable device",
    .words = STEP_WORDS,
    .options = run_options,
    .defaults = &run_defaults,
    .check = check,
    .main = run_main,
};
