// ./run trace [STEP...]: every copy, fill and kernel of the steps, with its times.
#include "verbs/verbs.h"

#include "files/csv.h"
#include "files/json.h"
#include "measure/instruments.h"
#include "measure/ranges.h"
#include "show/trace_page.h"

#include <string.h>

static const char help[] =
    "Usage: ./run trace [STEP...] [OPTION...]\n"
    "\n"
    "Prints, as nvprof --print-gpu-trace did, every copy, fill and kernel that the device did for\n"
    "the steps (all, or those named): when, for how long, how it was launched, what it moved; and\n"
    "how many blocks ran on the SMs. A step is uploaded, verified and timed as ./run does it, "
    "with\n"
    "fewer launches.\n"
    "\n"
    "  -n N                 matrices of N x N floats (default: as ./run; the serial step stays\n"
    "                       at 1024)\n"
    "  --reps N             N timed launches, after 2 to warm up; 0 for neither (default: 5, and\n"
    "                       0 on the simulated device, which times the launch that it verifies)\n"
    "  --chrome FILE        the timeline too, in Chrome's trace event format, for ui.perfetto.dev\n"
    "                       and chrome://tracing; - for standard output, without the table\n"
    "  --json FILE          all of it as JSON too; likewise\n"
    "  --csv FILE           a row for each activity as CSV too; likewise\n"
    "  --gpu, --sim[=NAME]  a GPU or nothing; the simulated device, as another GPU (--sim=list)\n"
    "  --device K           CUDA device K (default 0)\n"
    "  --timeout S          a step that does not answer for S seconds hangs (default 60)\n"
    "  --color WHEN         auto (default), always or never\n"
    "  -h, --help           this text\n"
    "\n"
    "On a GPU the times are those of CUPTI's activity records; on the simulated device they are "
    "its\n"
    "timing model's predictions, marked ~. The phases of a run are NVTX ranges, which Nsight's "
    "tools\n"
    "show too: nsys profile -t cuda,nvtx ./run --no-profile --timeout 0\n";

enum { MAX_TRACED_REPS = 1000, DEFAULT_REPS = 5, TRACER_WHY_SIZE = 512 };

struct request {
    struct verb_options common;
    int reps; // -1: the device's default
    const char *chrome, *csv;
};

// A request, with the file for its CSV (NULL: none).
struct demand {
    const struct request *request;
    FILE *csv;
};

static bool take_option(int option, void *context)
{
    struct request *request = context;
    long number = 0;
    bool good;
    switch (option) {
    case 'r':
        good = number_option("--reps", optarg, 0, MAX_TRACED_REPS, &number);
        request->reps = (int)number;
        return good;
    case 'o':
        return json_option("--chrome", optarg, &request->chrome);
    default: // --csv
        request->csv = optarg;
        return true;
    }
}

// How many of the files are standard output, which has room for one.
static int standard_outputs(const struct request *request)
{
    const char *const files[] = {request->chrome, request->common.json, request->csv};
    int count = 0;
    for (int i = 0; i < 3; i++)
        count += files[i] && strcmp(files[i], "-") == 0;
    return count;
}

static bool check(void *context)
{
    if (!any_step_is_built())
        return false;
    bool good = standard_outputs(context) <= 1;
    if (!good)
        fprintf(stderr,
                "apodkit: only one of --chrome, --json and --csv can have standard output\n");
    return good;
}

static enum parsed parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {
        {"gpu", no_argument, NULL, 'g'},
        {"sim", optional_argument, NULL, 'm'},
        {"device", required_argument, NULL, 'd'},
        {"timeout", required_argument, NULL, 't'},
        {"reps", required_argument, NULL, 'r'},
        {"chrome", required_argument, NULL, 'o'},
        {"json", required_argument, NULL, 'j'},
        {"csv", required_argument, NULL, 'c'},
        {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    struct verb_syntax syntax = {.verb = "trace",
                                 .help = help,
                                 .letters = "n:h",
                                 .options = options,
                                 .take = take_option,
                                 .check = check,
                                 .context = request};
    *request = (struct request){.common.timeout_s = 60, .reps = -1};
    return verb_options_parse(&syntax, argc, argv, &request->common);
}

static struct traced_step *traced_of(const struct errand *errand)
{
    return (struct traced_step *)errand->at;
}

static bool time_step(struct errand *errand)
{
    int reps = ((const struct demand *)errand->context)->request->reps;
    if (reps < 0)
        reps = errand->inspection->device.simulated ? 0 : DEFAULT_REPS;
    struct timing timing; // events' times, which the trace disturbs: its own are better
    bool good = reps == 0 || trial_time(&errand->trial, reps, true, &timing, errand->at->complaint);
    trial_tell(&errand->trial, false);
    return good;
}

static enum outcome run_step(struct errand *errand)
{
    struct inspected *at = errand->at;
    if (!problem_open(&errand->problem, at->n, NULL, at->complaint))
        return FAILED;
    enum outcome outcome = trial_verify(&errand->trial, trial_launch, NULL, at->complaint);
    traced_of(errand)->launch = errand->trial.launched;
    return outcome == VERIFIED && !time_step(errand) ? FAILED : outcome;
}

// Runs the step within its range and ends the trace.
static enum outcome trace_step(struct errand *errand)
{
    struct inspected *at = errand->at;
    char name[STEP_NAME_SIZE], why[TRACER_WHY_SIZE];
    step_name(errand->trial.step, name);
    ranges_record(&traced_of(errand)->activities);
    range_push("step %d %s", at->step, name);
    enum outcome outcome = run_step(errand);
    range_pop();
    ranges_record(NULL);
    trial_tell(&errand->trial, true);
    bool traced = instruments.tracer->stop(why, sizeof why);
    trial_tell(&errand->trial, false);
    if (!traced && outcome == VERIFIED) {
        snprintf(at->complaint, COMPLAINT_SIZE, "its trace is not to be trusted: %s", why);
        return FAILED;
    }
    return outcome;
}

// A trace begins before the first CUDA call of its process.
static void look(struct errand *errand)
{
    const struct tracer *tracer = instruments.tracer;
    char why[TRACER_WHY_SIZE];
    bool started = tracer && tracer->start(&traced_of(errand)->activities, why, sizeof why);
    if (!errand_open_device(errand))
        return;
    if (started)
        errand->at->outcome = trace_step(errand);
    else
        snprintf(errand->inspection->fatal, FAILURE_SIZE, "nothing can be traced: %s",
                 tracer ? why : instruments.why_not.tracer);
}

// Takes the counters' word for the busiest and the idlest SM, in launches of its own.
static void count_launch(struct errand *errand, struct profiler *profiler)
{
    struct sm_blocks *blocks = &traced_of(errand)->blocks;
    struct step_result counted = {.number = errand->at->step};
    const struct value *most = &counted.values[BLOCKS_PER_SM_MAX],
                       *least = &counted.values[BLOCKS_PER_SM_MIN];
    trial_tell(&errand->trial, true);
    instruments.counters->measure(profiler, trial_launch_watched, &errand->trial, &counted);
    if (!kernel_ok(cudaDeviceSynchronize(), blocks->why, FAILURE_SIZE, "the counted launch"))
        return;
    trial_tell(&errand->trial, false);
    if (!value_known(most) || !value_known(least)) {
        snprintf(blocks->why, FAILURE_SIZE, "%s", value_known(most) ? least->why : most->why);
        return;
    }
    blocks->provenance = most->provenance;
    blocks->most = (uint64_t)most->number;
    blocks->least = (uint64_t)least->number;
}

// Another errand counts blocks: a trace would show the launches that a GPU makes for it.
static void count_blocks(struct errand *errand)
{
    char *why = traced_of(errand)->blocks.why;
    struct profiler *profiler = NULL;
    if (device_open(errand->options->device, &errand->inspection->device, why) &&
        problem_open(&errand->problem, errand->at->n, NULL, why) &&
        (profiler = instruments.counters->open(NULL, 0, why, FAILURE_SIZE))) {
        count_launch(errand, profiler);
        instruments.counters->close(profiler);
    }
}

// Where the device says which SM runs what, nothing needs to be counted.
static void list_blocks(struct sm_blocks *blocks)
{
    blocks->provenance = MODELLED;
    blocks->least = blocks->launched;
    for (int sm = 0; sm < blocks->sms; sm++) {
        uint64_t count = instruments.blocks_on_sm(blocks->launched, (unsigned)sm);
        blocks->of_sm[sm] = count;
        blocks->most = count > blocks->most ? count : blocks->most;
        blocks->least = count < blocks->least ? count : blocks->least;
    }
}

static void find_blocks(struct errand *errand)
{
    const struct launch_record *launch = &traced_of(errand)->launch;
    struct sm_blocks *blocks = &traced_of(errand)->blocks;
    char complaint[COMPLAINT_SIZE] = "";
    *blocks = (struct sm_blocks){.launched =
                                     (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2],
                                 .sms = errand->inspection->device.sms};
    if (launch->count > 1) {
        snprintf(blocks->why, FAILURE_SIZE,
                 "launch() makes %u launches, and blocks are counted of one", launch->count);
    } else if (instruments.blocks_on_sm && blocks->sms <= MAX_SMS) {
        list_blocks(blocks);
    } else if (!instruments.counters) {
        snprintf(blocks->why, FAILURE_SIZE, "%s", instruments.why_not.counters);
    } else {
        errand_run(errand, count_blocks, complaint);
        if (blocks->provenance != UNAVAILABLE || !*blocks->why)
            snprintf(blocks->why, FAILURE_SIZE, "%.*s", FAILURE_SIZE - 1,
                     blocks->provenance == UNAVAILABLE ? complaint
                                                       : instruments.why_not.blocks_on_sm);
    }
}

static bool write_timeline(const struct request *request, const struct trace *trace)
{
    const char *untimed = trace_untimed(trace);
    if (untimed)
        fprintf(stderr, "apodkit: --chrome: a timeline needs times: %s\n", untimed);
    return !untimed && json_finish(request->chrome, timeline_of_trace(trace));
}

static bool hand_out(void *context, const struct inspection *inspection)
{
    const struct demand *demand = context;
    const struct request *request = demand->request;
    const struct trace *trace = (const struct trace *)inspection;
    if (demand->csv)
        write_trace_csv(demand->csv, trace);
    bool good = !demand->csv || csv_close(demand->csv, request->csv);
    if (request->common.json && !json_finish(request->common.json, json_of_trace(trace)))
        good = false;
    if (request->chrome && !write_timeline(request, trace))
        good = false;
    return good;
}

// What cannot be written is told before the work.
static bool open_files(const struct request *request, FILE **csv)
{
    *csv = NULL;
    if ((request->common.json && !json_writable(request->common.json)) ||
        (request->chrome && !json_writable(request->chrome)))
        return false;
    *csv = request->csv ? csv_open(request->csv) : NULL;
    return *csv || !request->csv;
}

static struct inspected *step(struct inspection *inspection, int place)
{
    return &((struct trace *)inspection)->steps[place].at;
}

int trace_main(int argc, char **argv)
{
    struct request request;
    struct demand demand = {.request = &request};
    enum parsed parsed = parse(argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    if (!program_choose(request.common.choice, request.common.sim_device, argv - 1))
        return EXIT_NO_DEVICE;
    if (!open_files(&request, &demand.csv))
        return EXIT_WRONG;
    const struct inspector inspector = {.of = "the trace",
                                        .size = sizeof(struct trace),
                                        .is_printed = standard_outputs(&request) == 0,
                                        .context = &demand,
                                        .step = step,
                                        .look = look,
                                        .look_on = find_blocks,
                                        .print_device = print_trace_device,
                                        .print_step = print_trace_step,
                                        .print_legend = print_trace_legend,
                                        .hand_out = hand_out};
    return inspect(&inspector, &request.common, argv - 1);
}
