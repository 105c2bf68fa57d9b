// ./run trace [STEP...]: every copy, fill and kernel of the steps, with its times.
#define _GNU_SOURCE // mmap(MAP_ANONYMOUS)
#include "verbs.h"

#include "csv.h"
#include "ending.h"
#include "json.h"
#include "problem.h"
#include "progress.h"
#include "ranges.h"
#include "trace_page.h"
#include "tracer.h"
#include "verb_options.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static const char help[] =
    "Usage: ./run trace [STEP...] [OPTION...]\n"
    "\n"
    "Prints, as nvprof --print-gpu-trace did, every copy, fill and kernel that the device did for\n"
    "the steps (all, or those named): when, for how long, how it was launched, what it moved; and\n"
    "how many blocks ran on each SM. A step is uploaded, verified and timed as ./run does it, "
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

// One step's work, in a process of its own: it may crash or hang, and a trace begins before the first
// CUDA call of its process.
struct errand {
    const struct request *request;
    struct trace *trace; // in memory shared with the supervisor
    struct traced_step *at;
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
    struct errand *errand = context;
    step_find(errand->at->step)
        ->launch(problem_output(&errand->problem), problem_input(&errand->problem), errand->at->n);
    return cudaGetLastError();
}

static void launch_to_count(void *context)
{
    (void)launch(context);
}

static bool open_device(struct errand *errand)
{
    struct trace *trace = errand->trace;
    int count = 0;
    if (!device_open(errand->request->common.device, &trace->device, trace->fatal)) {
        trace->no_gpu = cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
        return false;
    }
    trace->n =
        errand->request->common.n ? errand->request->common.n : device_default_n(&trace->device);
    errand->at->n = step_size(errand->at->step, trace->n);
    return true;
}

// One launch into a poisoned output, as in a run.
static enum outcome verify(struct errand *errand)
{
    struct traced_step *at = errand->at;
    launches_forget();
    beat(errand);
    range_push("verified launch");
    cudaError_t error = launch(errand);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    range_pop();
    at->launch = launches_largest();
    tell(errand, false); // what follows is the host's work
    if (!kernel_ok(error, at->complaint, COMPLAINT_SIZE, "the kernel of step %d at n = %zu",
                   at->step, at->n))
        return FAILED;
    if (!at->launch.kernel) {
        snprintf(at->complaint, COMPLAINT_SIZE, "launch() in %s launched no kernel",
                 step_find(at->step)->file);
        return FAILED;
    }
    return problem_verify(&errand->problem, launch_tile(&at->launch), at->complaint, COMPLAINT_SIZE)
               ? VERIFIED
               : WRONG;
}

static bool time_step(struct errand *errand)
{
    int reps = errand->request->reps;
    if (reps < 0)
        reps = errand->trace->device.simulated ? 0 : DEFAULT_REPS;
    char what[32];
    snprintf(what, sizeof what, "step %d", errand->at->step);
    struct timed_work work = {
        .what = what, .launch = launch, .beat = beat, .context = errand, .brief = true};
    struct timing timing; // events' times, which the trace disturbs: its own are better
    bool good = reps == 0 || time_launches(&work, reps, &timing, errand->at->complaint);
    tell(errand, false);
    return good;
}

static enum outcome run_step(struct errand *errand)
{
    struct traced_step *at = errand->at;
    if (!problem_open(&errand->problem, at->n, NULL, at->complaint) ||
        !problem_poison_output(&errand->problem, at->complaint))
        return FAILED;
    enum outcome outcome = verify(errand);
    return outcome == VERIFIED && !time_step(errand) ? FAILED : outcome;
}

// Runs the step within its range and ends the trace.
static enum outcome trace_step(struct errand *errand)
{
    struct traced_step *at = errand->at;
    char name[STEP_NAME_SIZE], why[TRACER_WHY_SIZE];
    step_name(step_find(at->step), name);
    ranges_record(&at->activities);
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
    char why[TRACER_WHY_SIZE];
    errand->sender = sender;
    bool started = tracer_start(&errand->at->activities, why, sizeof why);
    if (!open_device(errand))
        return;
    if (!started) {
        snprintf(errand->trace->fatal, FAILURE_SIZE, "nothing can be traced: %s", why);
        return;
    }
    errand->at->outcome = trace_step(errand);
    problem_close(&errand->problem);
}

// Another process counts blocks: a GPU's kernels are instrumented for it, which a trace would show.
static void run_count(void *context, const struct note_sender *sender)
{
    struct errand *errand = context;
    struct traced_step *at = errand->at;
    char failure[FAILURE_SIZE];
    errand->sender = sender;
    if (device_open(errand->request->common.device, &errand->trace->device, failure) &&
        problem_open(&errand->problem, at->n, NULL, failure)) {
        tell(errand, true);
        block_counter_measure(errand->request->common.device, errand->trace->device.sms,
                              &at->launch, launch_to_count, errand, &at->blocks);
        tell(errand, false);
    } else {
        snprintf(at->blocks.why, sizeof at->blocks.why, "%.*s", BLOCKS_WHY_SIZE - 1, failure);
    }
    problem_close(&errand->problem);
}

// The work goes on, or a kernel has begun or ended; nothing needs to be done about it.
static void ignore(void *context, struct note note)
{
    (void)context;
    (void)note;
}

// In a process of its own. An ending without a word leaves its explanation in `complaint`.
static void supervise_step(struct errand *errand, supervised_work *work,
                           char complaint[COMPLAINT_SIZE])
{
    double timeout_s = errand->request->common.timeout_s;
    struct supervision supervision = {
        .work = work, .work_context = errand, .handle = ignore, .timeout_s = timeout_s};
    int status;
    enum ending ending = supervise(&supervision, &status);
    if (ending == NOT_STARTED)
        snprintf(complaint, COMPLAINT_SIZE, "no process can be started for it: %s",
                 strerror(status));
    else if (ending != ENDED)
        explain_ending(ending, status, timeout_s, step_find(errand->at->step), true, complaint);
}

static void trace_one(const struct request *request, struct trace *trace, struct traced_step *at)
{
    struct errand errand = {.request = request, .trace = trace, .at = at};
    char complaint[COMPLAINT_SIZE] = "";
    supervise_step(&errand, run_errand, complaint);
    if (*trace->fatal)
        return;
    if (at->outcome == PENDING) {
        at->outcome = FAILED;
        snprintf(at->complaint, COMPLAINT_SIZE, "%s", complaint);
    }
    if (at->outcome != VERIFIED)
        return;
    if (at->launch.count > 1) {
        snprintf(at->blocks.why, sizeof at->blocks.why,
                 "launch() makes %u launches, and blocks are counted of one", at->launch.count);
        return;
    }
    supervise_step(&errand, run_count, complaint);
    if (at->blocks.provenance == UNAVAILABLE && !*at->blocks.why)
        snprintf(at->blocks.why, sizeof at->blocks.why, "%.*s", BLOCKS_WHY_SIZE - 1, complaint);
}

static void print_step(const struct request *request, const struct trace *trace,
                       const struct traced_step *at)
{
    if (standard_outputs(request) > 0)
        return;
    struct style style = style_for(stdout, request->common.color);
    if (at == trace->steps)
        print_trace_device(stdout, &style, trace);
    struct source_file source = source_file_find(step_find(at->step)->file);
    print_trace_step(stdout, &style, at, &source);
    if (at == &trace->steps[trace->count - 1])
        print_trace_legend(stdout, trace);
    fflush(stdout);
}

static bool write_timeline(const struct request *request, const struct trace *trace)
{
    const char *untimed = trace_untimed(trace);
    if (untimed)
        fprintf(stderr, "apodkit: --chrome: a timeline needs times: %s\n", untimed);
    return !untimed && json_finish(request->chrome, timeline_of_trace(trace));
}

// What was asked for beside the table. False after a message.
static bool hand_out(const struct request *request, const struct trace *trace, FILE *csv)
{
    if (csv)
        write_trace_csv(csv, trace);
    bool good = !csv || csv_close(csv, request->csv);
    if (request->common.json && !json_finish(request->common.json, json_of_trace(trace)))
        good = false;
    if (request->chrome && !write_timeline(request, trace))
        good = false;
    return good;
}

// Traces and prints all that was asked for.
static int trace_steps(const struct request *request, struct trace *trace, FILE *csv, char **argv)
{
    int status = EXIT_GOOD;
    for (int i = 0; i < trace->count; i++) {
        struct traced_step *at = &trace->steps[i];
        const struct step *step = step_find(at->step);
        progress_show(i, trace->count, step->title);
        trace_one(request, trace, at);
        progress_wipe();
        if (trace->no_gpu && request->common.choice == GPU_IF_ANY && !profiler_simulates())
            (void)program_become(true, argv); // without it, the reason why is what is left
        if (*trace->fatal) {
            fprintf(stderr, "apodkit: %s\n", trace->fatal);
            return EXIT_NO_DEVICE;
        }
        print_step(request, trace, at);
        if (at->outcome == VERIFIED)
            continue;
        fprintf(stderr, "apodkit: step %d %s: %s\n", at->step,
                at->outcome == WRONG ? "gave a wrong result" : "failed", at->complaint);
        status = EXIT_WRONG;
    }
    return hand_out(request, trace, csv) ? status : EXIT_WRONG;
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

int trace_main(int argc, char **argv)
{
    struct request request;
    enum parsed parsed = parse(argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    if (!program_choose(request.common.choice, request.common.sim_device, argv - 1))
        return EXIT_NO_DEVICE;
    // A setting in the environment that makes no sense ends the program here, while it is one.
    (void)profiler_checks_accesses();
    FILE *csv;
    if (!open_files(&request, &csv))
        return EXIT_WRONG;
    struct trace *trace =
        mmap(NULL, sizeof *trace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (trace == MAP_FAILED) {
        fprintf(stderr, "apodkit: mmap of %zu bytes for the trace: %s\n", sizeof *trace,
                strerror(errno));
        return EXIT_WRONG;
    }
    for (int i = 0; i < step_count(); i++)
        if (request.common.chosen[i])
            trace->steps[trace->count++].step = step_at(i)->number;
    int status = trace_steps(&request, trace, csv, argv - 1);
    munmap(trace, sizeof *trace);
    return status;
}
