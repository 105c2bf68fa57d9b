// ./run trace [STEP...]: every copy, fill and kernel of the steps, with its times.
#include "base/progress.h"
#include "files/csv.h"
#include "files/json.h"
#include "measure/ranges.h"
#include "measure/tracer.h"
#include "show/trace_page.h"

enum { MAX_TRACED_REPS = 1000, DEFAULT_REPS = 5, TRACER_WHY_SIZE = 512 };

// The options, with the file for its CSV (NULL: none).
struct demand {
    const struct options *options;
    FILE *csv;
};

// How many of the files are standard output, which has room for one.
static int standard_outputs(const struct options *options)
{
    return is_stdout(options->chrome) + is_stdout(options->json) + is_stdout(options->csv);
}

static bool check(const struct options *options)
{
    if (!any_step_is_built(options))
        return false;
    bool good = standard_outputs(options) <= 1;
    if (!good)
        fprintf(stderr,
                "apodkit: only one of --chrome, --json and --csv can have standard output\n");
    return good;
}

// One step's work, in a process of its own: a trace begins before the first CUDA call of its process.
struct errand {
    const struct options *options;
    struct inspection *inspection; // in memory shared with the supervisor, like the step
    struct traced_step *traced;
    const struct note_sender *sender;
    struct problem problem;
};

static void tell(const struct errand *errand, bool limited)
{
    errand->sender->send(errand->sender->context, (struct note){.limited = limited});
}

static void beat(void *context)
{
    tell(context, true);
}

static cudaError_t launch(void *context)
{
    const struct errand *errand = context;
    return inspect_launch(&errand->traced->at, &errand->problem);
}

static void launch_to_count(void *context)
{
    (void)launch(context);
}

// One launch into a poisoned output, as in a run.
static enum outcome verify(struct errand *errand)
{
    struct inspected *at = &errand->traced->at;
    struct launch_record *launched = &errand->traced->launch;
    launches_forget();
    beat(errand);
    range_push("verified launch");
    cudaError_t error = launch(errand);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    range_pop();
    *launched = launches_largest();
    tell(errand, false); // what follows is the host's work
    if (!launch_ok(error, launched, at->step, step_find(at->step)->file, at->n, at->complaint,
                   COMPLAINT_SIZE))
        return FAILED;
    return problem_verify(&errand->problem, launch_tile(launched), at->complaint, COMPLAINT_SIZE)
               ? VERIFIED
               : WRONG;
}

static bool time_step(struct errand *errand)
{
    struct inspected *at = &errand->traced->at;
    int reps = (int)errand->options->reps;
    if (reps < 0)
        reps = errand->inspection->device.simulated ? 0 : DEFAULT_REPS;
    char what[32];
    snprintf(what, sizeof what, "step %d", at->step);
    struct timed_work work = {
        .what = what, .launch = launch, .beat = beat, .context = errand, .brief = true};
    struct timing timing; // events' times, which the trace disturbs: its own are better
    bool good = reps == 0 || time_launches(&work, reps, &timing, at->complaint);
    tell(errand, false);
    return good;
}

static enum outcome run_step(struct errand *errand)
{
    struct inspected *at = &errand->traced->at;
    if (!problem_open(&errand->problem, at->n, NULL, at->complaint) ||
        !problem_poison_output(&errand->problem, at->complaint))
        return FAILED;
    enum outcome outcome = verify(errand);
    return outcome == VERIFIED && !time_step(errand) ? FAILED : outcome;
}

// Runs the step within its range and ends the trace.
static enum outcome trace_step(struct errand *errand)
{
    struct inspected *at = &errand->traced->at;
    char name[STEP_NAME_SIZE], why[TRACER_WHY_SIZE];
    step_name(step_find(at->step), name);
    ranges_record(&errand->traced->activities);
    range_push("step %d %s", at->step, name);
    enum outcome outcome = run_step(errand);
    range_pop();
    ranges_record(NULL);
    tell(errand, true);
    bool traced = tracer_stop(why, sizeof why);
    tell(errand, false);
    if (!traced && outcome == VERIFIED) {
        snprintf(at->complaint, COMPLAINT_SIZE, "its trace is not to be trusted: %s", why);
        return FAILED;
    }
    return outcome;
}

static void run_errand(void *context, const struct note_sender *sender)
{
    struct errand *errand = context;
    struct inspected *at = &errand->traced->at;
    char why[TRACER_WHY_SIZE];
    errand->sender = sender;
    bool started = tracer_start(&errand->traced->activities, why, sizeof why);
    if (!inspect_open_device(errand->options, errand->inspection, at))
        return;
    if (!started) {
        snprintf(errand->inspection->fatal, FAILURE_SIZE, "nothing can be traced: %s", why);
        return;
    }
    at->outcome = trace_step(errand);
    problem_close(&errand->problem);
}

// Another process counts blocks: a GPU makes one more launch for it, which a trace would show.
static void run_count(void *context, const struct note_sender *sender)
{
    struct errand *errand = context;
    struct traced_step *traced = errand->traced;
    struct device *device = &errand->inspection->device;
    int ordinal = (int)errand->options->device;
    char failure[FAILURE_SIZE];
    errand->sender = sender;
    if (device_open(ordinal, device, failure) &&
        problem_open(&errand->problem, traced->at.n, NULL, failure)) {
        tell(errand, true);
        block_counter_measure(ordinal, device->sms, &traced->launch, launch_to_count, errand,
                              &traced->blocks);
        tell(errand, false);
    } else {
        snprintf(traced->blocks.why, sizeof traced->blocks.why, "%.*s", BLOCKS_WHY_SIZE - 1,
                 failure);
    }
    problem_close(&errand->problem);
}

static void count_blocks(struct errand *errand)
{
    const struct traced_step *traced = errand->traced;
    struct sm_blocks *blocks = &errand->traced->blocks;
    char complaint[COMPLAINT_SIZE] = "";
    if (traced->launch.count > 1) {
        snprintf(blocks->why, sizeof blocks->why,
                 "launch() makes %u launches, and blocks are counted of one", traced->launch.count);
        return;
    }
    inspect_in_process(run_count, errand, errand->options->timeout_s, traced->at.step, complaint);
    if (blocks->provenance == UNAVAILABLE && !*blocks->why)
        snprintf(blocks->why, sizeof blocks->why, "%.*s", BLOCKS_WHY_SIZE - 1, complaint);
}

static int place_of(const struct inspection *inspection, const struct inspected *at)
{
    return (int)((const struct traced_step *)at - ((const struct trace *)inspection)->steps);
}

static void look(void *context, struct inspection *inspection, struct inspected *at)
{
    const struct demand *demand = context;
    struct errand errand = {
        .options = demand->options, .inspection = inspection, .traced = (struct traced_step *)at};
    char complaint[COMPLAINT_SIZE] = "";
    progress_show(place_of(inspection, at), inspection->count, step_find(at->step)->title);
    inspect_in_process(run_errand, &errand, demand->options->timeout_s, at->step, complaint);
    inspect_conclude(inspection, at, complaint);
    if (at->outcome == VERIFIED)
        count_blocks(&errand);
    progress_wipe();
}

static bool write_timeline(const struct options *options, const struct trace *trace)
{
    const char *untimed = trace_untimed(trace);
    if (untimed)
        fprintf(stderr, "apodkit: --chrome: a timeline needs times: %s\n", untimed);
    return !untimed && json_finish(options->chrome, timeline_of_trace(trace));
}

static bool hand_out(void *context, const struct inspection *inspection)
{
    const struct demand *demand = context;
    const struct options *options = demand->options;
    const struct trace *trace = (const struct trace *)inspection;
    if (demand->csv)
        write_trace_csv(demand->csv, trace);
    bool good = !demand->csv || csv_close(demand->csv, options->csv);
    if (options->json && !json_finish(options->json, json_of_trace(trace)))
        good = false;
    if (options->chrome && !write_timeline(options, trace))
        good = false;
    return good;
}

// What cannot be written is told before the work.
static bool open_files(const struct options *options, FILE **csv)
{
    *csv = NULL;
    if ((options->json && !json_writable(options->json)) ||
        (options->chrome && !json_writable(options->chrome)))
        return false;
    *csv = options->csv ? csv_open(options->csv) : NULL;
    return *csv || !options->csv;
}

static struct inspected *step(struct inspection *inspection, int place)
{
    return &((struct trace *)inspection)->steps[place].at;
}

static int trace(const struct options *options)
{
    struct demand demand = {.options = options};
    if (!inspect_begin(options))
        return EXIT_NO_DEVICE;
    if (!open_files(options, &demand.csv))
        return EXIT_WRONG;
    const struct inspector inspector = {.of = "the trace",
                                        .size = sizeof(struct trace),
                                        .is_printed = standard_outputs(options) == 0,
                                        .context = &demand,
                                        .step = step,
                                        .look = look,
                                        .print_device = print_trace_device,
                                        .print_step = print_trace_step,
                                        .print_legend = print_trace_legend,
                                        .hand_out = hand_out};
    return inspect(&inspector, options);
}

static const struct option_row rows[] = {
    N_AS_RUN_ROW,
    REPS_ROW(0, MAX_TRACED_REPS,
             "R timed launches, after 2 to warm up; 0 for neither (default: 5, and 0 on the "
             "simulated device, which times the launch that it verifies)"),
    FIELD_ROW("chrome", "FILE", TEXT, chrome,
              "the timeline too, in Chrome's trace event format, for ui.perfetto.dev and "
              "chrome://tracing; - for standard output, without the table"),
    JSON_ROW("all of it as JSON too; likewise"),
    CSV_ROW("a row for each activity as CSV too; likewise"),
    DEVICE_ROWS(ANOTHER_GPU),
    TIMEOUT_ROW(1, "60", ""),
    COLOR_AND_HELP_ROWS,
};

const struct verb trace_verb = {
    .name = "trace",
    .summary = "every copy, fill and kernel of the steps, and the blocks that each SM ran",
    .takes = "[STEP...]",
    .about = "Prints, as nvprof --print-gpu-trace did, every copy, fill and kernel that the "
             "device did for the steps (all, or those named): when, for how long, how it was "
             "launched, what it moved; and how many blocks ran on each SM. A step is uploaded, "
             "verified and timed as ./run does it, with fewer launches.",
    .notes = "On a GPU the times are those of CUPTI's activity records; on the simulated device "
             "they are its timing model's predictions, marked ~. The phases of a run are NVTX "
             "ranges, which Nsight's tools show too: nsys profile -t cuda,nvtx ./run "
             "--no-profile --timeout 0",
    .words = STEP_WORDS,
    .options = rows,
    .defaults = &(const struct options){.timeout_s = 60, .reps = -1},
    .check = check,
    .main = trace,
};
