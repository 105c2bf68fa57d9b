// ./run trace [STEP...]: every copy, fill and kernel of the steps, with its times.
#include "facts/shared_results.h"
#include "files/csv.h"
#include "files/json.h"
#include "measure/instruments.h"
#include "measure/nvtx_ranges.h"
#include "verbs/inspect.h"

enum { MAX_TRACED_REPS = 1000, DEFAULT_REPS = 5, TRACER_WHY_SIZE = 512 };

static struct traced_step *traced_of(const struct inspection_task *task)
{
    return (struct traced_step *)task->at;
}

static bool time_step(struct inspection_task *task)
{
    int reps = (int)task->options->reps;
    if (reps < 0)
        reps = task->inspection->device.simulated ? 0 : DEFAULT_REPS;
    struct timing timing; // events' times, which the trace disturbs: its own are better
    bool good = reps == 0 || trial_time(&task->trial, reps, true, &timing, task->at->complaint);
    trial_tell(&task->trial, false);
    return good;
}

static enum outcome run_step(struct inspection_task *task)
{
    struct inspected *at = task->at;
    if (!problem_open(&task->problem, at->n, NULL, at->complaint))
        return FAILED;
    enum outcome outcome = trial_verify(&task->trial, trial_launch, NULL, at->complaint);
    traced_of(task)->launch = task->trial.launched;
    return outcome == VERIFIED && !time_step(task) ? FAILED : outcome;
}

// Runs the step within its range and ends the trace.
static enum outcome trace_step(struct inspection_task *task)
{
    struct inspected *at = task->at;
    char name[STEP_NAME_SIZE], label[STEP_LABEL_SIZE], why[TRACER_WHY_SIZE];
    step_name(task->trial.step->file, name);
    ranges_record(&traced_of(task)->activities);
    range_push("%s %s", step_label(at->step, label), name);
    enum outcome outcome = run_step(task);
    range_pop();
    ranges_record(NULL);
    trial_tell(&task->trial, true);
    bool traced = instruments.tracer->stop(why, sizeof why);
    trial_tell(&task->trial, false);
    if (!traced && outcome == VERIFIED) {
        snprintf(at->complaint, COMPLAINT_SIZE, "its trace is not to be trusted: %s", why);
        return FAILED;
    }
    return outcome;
}

// A trace begins before the first CUDA call of its process.
static void look(struct inspection_task *task)
{
    const struct tracer *tracer = instruments.tracer;
    char why[TRACER_WHY_SIZE];
    bool started = tracer && tracer->start(&traced_of(task)->activities, why, sizeof why);
    if (!inspection_open_device(task))
        return;
    if (started)
        task->at->outcome = trace_step(task);
    else
        snprintf(task->inspection->fatal, FAILURE_SIZE, "nothing can be traced: %s",
                 tracer ? why : instruments.why_not.tracer);
}

// Takes the counters' word for the busiest and the idlest SM, in launches of its own.
static void count_launch(struct inspection_task *task, struct profiler *profiler)
{
    struct sm_blocks *blocks = &traced_of(task)->blocks;
    struct step_result counted = {.number = task->at->step};
    const struct value *most = &counted.values[BLOCKS_PER_SM_MAX],
                       *least = &counted.values[BLOCKS_PER_SM_MIN];
    trial_tell(&task->trial, true);
    instruments.counters->measure(profiler, trial_launch_watched, &task->trial, &counted);
    if (!kernel_ok(cudaDeviceSynchronize(), blocks->why, FAILURE_SIZE, "the counted launch"))
        return;
    trial_tell(&task->trial, false);
    if (!value_known(most) || !value_known(least)) {
        snprintf(blocks->why, FAILURE_SIZE, "%s", value_known(most) ? least->why : most->why);
        return;
    }
    blocks->provenance = most->provenance;
    blocks->most = (uint64_t)most->number;
    blocks->least = (uint64_t)least->number;
}

// Another task counts blocks: a trace would show the launches that a GPU makes for it.
static void count_blocks(struct inspection_task *task)
{
    char *why = traced_of(task)->blocks.why;
    struct profiler *profiler = NULL;
    if (device_open((int)task->options->device, &task->inspection->device, why) &&
        problem_open(&task->problem, task->at->n, NULL, why) &&
        (profiler = instruments.counters->open(NULL, 0, why, FAILURE_SIZE))) {
        count_launch(task, profiler);
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

static void find_blocks(struct inspection_task *task)
{
    const struct launch_record *launch = &traced_of(task)->launch;
    struct sm_blocks *blocks = &traced_of(task)->blocks;
    char complaint[COMPLAINT_SIZE] = "";
    *blocks = (struct sm_blocks){.launched =
                                     (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2],
                                 .sms = task->inspection->device.sms};
    if (launch->count > 1) {
        snprintf(blocks->why, FAILURE_SIZE,
                 "launch() makes %u launches, and blocks are counted of one", launch->count);
    } else if (instruments.blocks_on_sm && blocks->sms <= MAX_SMS) {
        list_blocks(blocks);
    } else if (!instruments.counters) {
        snprintf(blocks->why, FAILURE_SIZE, "%s", instruments.why_not.counters);
    } else {
        inspection_run(task, count_blocks, complaint);
        if (blocks->provenance != UNAVAILABLE || !*blocks->why)
            snprintf(blocks->why, FAILURE_SIZE, "%.*s", FAILURE_SIZE - 1,
                     blocks->provenance == UNAVAILABLE ? complaint
                                                       : instruments.why_not.blocks_on_sm);
    }
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
    const struct options *options = context;
    const struct trace *trace = (const struct trace *)inspection;
    bool good = !options->csv || write_trace_csv(options->csv, trace);
    if (options->json && !json_finish(options->json, json_of_trace(trace)))
        good = false;
    if (options->chrome && !write_timeline(options, trace))
        good = false;
    return good;
}

static int trace(const struct options *options)
{
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return EXIT_NO_DEVICE;
    bool is_printed =
        !is_stdout(options->chrome) && !is_stdout(options->json) && !is_stdout(options->csv);
    const struct inspector inspector = {.of = "the trace",
                                        .size = sizeof(struct trace),
                                        .step_size = sizeof(struct traced_step),
                                        .is_sound = traced_step_sound,
                                        .is_printed = is_printed,
                                        .context = (void *)options,
                                        .steps = offsetof(struct trace, steps),
                                        .look = look,
                                        .look_on = find_blocks,
                                        .page = &trace_page,
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
    .summary = "every copy, fill and kernel of the steps, and how many blocks the SMs ran",
    .takes = "[STEP...]",
    .about = "Prints, as nvprof --print-gpu-trace did, every copy, fill and kernel that the "
             "device did for the steps (all, or those named): when, for how long, how it was "
             "launched, what it moved; and how many blocks ran on the SMs. A step is uploaded, "
             "verified and timed as ./run does it, with fewer launches.",
    .notes = "On a GPU the times are those of CUPTI's activity records; on the simulated device "
             "they are its timing model's predictions, marked ~. The phases of a run are NVTX "
             "ranges, which Nsight's tools show too: nsys profile -t cuda,nvtx ./run "
             "--no-profile --timeout 0",
    .words = STEP_WORDS,
    .options = rows,
    .defaults = &(const struct options){.timeout_s = 60, .reps = -1},
    .check = any_step_is_built,
    .main = trace,
};
