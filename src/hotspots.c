// ./run hotspots [STEP...]: which source lines move more than they need to.
#define _GNU_SOURCE // mmap(MAP_ANONYMOUS)
#include "verbs.h"

#include "ending.h"
#include "hotspots_page.h"
#include "json.h"
#include "line_counter.h"
#include "options.h"
#include "problem.h"
#include "sim_choice.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/mman.h>

static const char help[] =
    "Usage: ./run hotspots [STEP...] [OPTION...]\n"
    "\n"
    "Prints the source of the steps (all, or those named), and at each line that touches memory\n"
    "how often it was executed, what that moved, and the least that would do: sectors of global\n"
    "memory, wavefronts of shared memory. The worst line of a step is marked.\n"
    "\n"
    "  -n N                 matrices of N x N floats (default: as ./run; the serial step stays\n"
    "                       at 1024)\n"
    "  --gpu, --sim[=NAME]  a GPU or nothing; the simulated device, as another GPU (--sim=list)\n"
    "  --device K           CUDA device K (default 0)\n"
    "  --timeout S          a step that does not answer for S seconds hangs (default 60)\n"
    "  --json FILE          as JSON; - for standard output\n"
    "  --color WHEN         auto (default), always or never\n"
    "  -h, --help           this text\n"
    "\n"
    "An execution is a warp instruction with at least one lane at work. Its ideal is the sectors\n"
    "that would hold the bytes its lanes asked for, were they side by side (4 for 32 floats), or\n"
    "its wavefronts without bank conflicts (1 for 32 floats). A warp with one lane at work so has\n"
    "no excess, however slow. Excess is sectors and wavefronts beyond the ideal; one of either\n"
    "counts as one pass. Local memory (spills, stack) is not shown: it has no ideal.\n"
    "\n"
    "On a GPU, CUPTI instruments the kernels (SASS metrics): that takes compute capability 7.5 or\n"
    "newer, and some patience.\n";

enum { WHY_LINES_SIZE = 512 }; // why lines cannot be counted, and what to do about it

struct request {
    bool chosen[MAX_STEPS];
    size_t n; // 0: the device's default
    enum device_choice choice;
    const char *sim_device, *json;
    int device;
    double timeout_s;
    enum color_when color;
};

static bool take_option(int option, struct request *request)
{
    long number = 0;
    bool good;
    switch (option) {
    case 'n':
        good = number_option("-n", optarg, 1, MAX_N, &number);
        request->n = (size_t)number;
        return good;
    case 't':
        good = number_option("--timeout", optarg, 1, 86400, &number);
        request->timeout_s = (double)number;
        return good;
    case 'g':
        request->choice = GPU_ONLY;
        return true;
    case 'd':
        return parse_device(optarg, &request->device);
    case 'j':
        return parse_json(optarg, &request->json);
    case 'w':
        return parse_color(optarg, &request->color);
    default:
        return false;
    }
}

static bool take_steps(int argc, char **argv, struct request *request)
{
    for (int i = 0; i < argc; i++)
        if (!parse_step(argv[i], request->chosen))
            return false;
    for (int i = 0; argc == 0 && i < step_count(); i++)
        request->chosen[i] = true;
    if (step_count() == 0)
        fprintf(stderr, "apodkit: no step is built: type `make`\n");
    return step_count() > 0;
}

static enum parsed parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {
        {"gpu", no_argument, NULL, 'g'},          {"sim", optional_argument, NULL, 'm'},
        {"device", required_argument, NULL, 'd'}, {"timeout", required_argument, NULL, 't'},
        {"json", required_argument, NULL, 'j'},   {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    *request = (struct request){.timeout_s = 60};
    optind = 0;
    enum parsed parsed = PARSED_RUN;
    for (int option;
         parsed == PARSED_RUN && (option = getopt_long(argc, argv, "n:h", options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return PARSED_DONE;
        }
        if (option == 'm') {
            request->choice = SIMULATED_ONLY;
            parsed = parse_sim(optarg, &request->sim_device);
        } else if (!take_option(option, request)) {
            parsed = PARSED_WRONG;
        }
    }
    if (parsed == PARSED_RUN && !take_steps(argc - optind, argv + optind, request))
        parsed = PARSED_WRONG;
    if (parsed == PARSED_WRONG)
        fprintf(stderr, "Type `./run hotspots --help` for the options.\n");
    return parsed;
}

// One step's work, in a process of its own: it may crash or hang, and a GPU's kernels are instrumented
// once a process.
struct errand {
    const struct request *request;
    struct hotspots *hotspots; // in memory shared with the supervisor
    struct hotspot_step *at;
    const struct note_sender *sender;
    struct problem problem;
    cudaError_t error; // of the launch
};

static void launch(void *context)
{
    struct errand *errand = context;
    step_find(errand->at->step)
        ->launch(problem_output(&errand->problem), problem_input(&errand->problem), errand->at->n);
    errand->error = cudaGetLastError();
}

static bool open_device(struct errand *errand)
{
    struct hotspots *hotspots = errand->hotspots;
    int count = 0;
    if (!device_open(errand->request->device, &hotspots->device, hotspots->fatal)) {
        hotspots->no_gpu = cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
        return false;
    }
    hotspots->n = errand->request->n ? errand->request->n : device_default_n(&hotspots->device);
    errand->at->n = step_size(errand->at->step, hotspots->n);
    return true;
}

// Counts one launch into a poisoned output, and verifies that.
static enum outcome count_lines(struct errand *errand, struct line_counter *counter)
{
    struct hotspot_step *at = errand->at;
    const struct note in_the_kernel = {.limited = true}, on_the_host = {.limited = false};
    char why[WHY_LINES_SIZE];
    launches_forget();
    errand->sender->send(errand->sender->context, in_the_kernel);
    bool counted = line_counter_measure(counter, errand->request->device, launch, errand,
                                        &at->lines, why, sizeof why);
    cudaError_t error = errand->error == cudaSuccess ? cudaDeviceSynchronize() : errand->error;
    errand->sender->send(errand->sender->context, on_the_host);

    struct launch_record launched = launches_first();
    if (!kernel_ok(error, at->complaint, COMPLAINT_SIZE, "the kernel of step %d at n = %zu",
                   at->step, at->n))
        return FAILED;
    if (!counted) {
        snprintf(at->complaint, COMPLAINT_SIZE, "its lines cannot be counted: %s", why);
        return FAILED;
    }
    if (!launched.kernel) {
        snprintf(at->complaint, COMPLAINT_SIZE, "launch() in %s launched no kernel",
                 step_find(at->step)->file);
        return FAILED;
    }
    return problem_verify(&errand->problem, launch_tile(&launched), at->complaint, COMPLAINT_SIZE)
               ? VERIFIED
               : WRONG;
}

static void run_errand(void *context, const struct note_sender *sender)
{
    struct errand *errand = context;
    struct hotspots *hotspots = errand->hotspots;
    struct hotspot_step *at = errand->at;
    char why[WHY_LINES_SIZE];
    errand->sender = sender;
    struct line_counter *counter = line_counter_open(why, sizeof why);
    if (!open_device(errand)) {
        line_counter_close(counter);
        return;
    }
    if (!counter) {
        snprintf(hotspots->fatal, FAILURE_SIZE, "lines cannot be counted: %s", why);
        return;
    }
    at->outcome = problem_open(&errand->problem, at->n, NULL, at->complaint) &&
                          problem_poison_output(&errand->problem, at->complaint)
                      ? count_lines(errand, counter)
                      : FAILED;
    problem_close(&errand->problem);
    line_counter_close(counter);
}

// The kernel has begun, or ended; nothing needs to be done about it.
static void ignore(void *context, struct note note)
{
    (void)context;
    (void)note;
}

// Counts one step; says in its place when its process ended without a word.
static void count_step(const struct request *request, struct hotspots *hotspots,
                       struct hotspot_step *at)
{
    struct errand errand = {.request = request, .hotspots = hotspots, .at = at};
    struct supervision supervision = {.work = run_errand,
                                      .work_context = &errand,
                                      .handle = ignore,
                                      .timeout_s = request->timeout_s};
    int status;
    enum ending ending = supervise(&supervision, &status);
    if (at->outcome != PENDING || *hotspots->fatal)
        return;
    at->outcome = FAILED;
    if (ending == NOT_STARTED)
        snprintf(at->complaint, COMPLAINT_SIZE, "no process can be started for it: %s",
                 strerror(status));
    else
        explain_ending(ending, status, request->timeout_s, step_find(at->step), at->complaint);
}

static void show_progress(const struct step *step)
{
    if (!style_for(stderr, COLOR_AUTO).cursor)
        return;
    if (step)
        fprintf(stderr, "\r\033[Kstep %d: %.80s ...", step->number, step->title);
    else
        fputs("\r\033[K", stderr);
}

static void print_step(const struct request *request, const struct hotspots *hotspots,
                       const struct hotspot_step *at)
{
    if (request->json && strcmp(request->json, "-") == 0)
        return;
    struct style style = style_for(stdout, request->color);
    struct source_file source = source_file_find(step_find(at->step)->file);
    if (at == hotspots->steps)
        print_hotspots_device(stdout, &style, hotspots);
    print_hotspots_step(stdout, &style, at, &source);
    if (at == &hotspots->steps[hotspots->count - 1])
        print_hotspots_legend(stdout);
    fflush(stdout);
}

// Counts and prints all that was asked for.
static int count_steps(const struct request *request, struct hotspots *hotspots, char **argv)
{
    int status = EXIT_GOOD;
    for (int i = 0; i < hotspots->count; i++) {
        struct hotspot_step *at = &hotspots->steps[i];
        show_progress(step_find(at->step));
        count_step(request, hotspots, at);
        show_progress(NULL);
        if (hotspots->no_gpu && request->choice == GPU_IF_ANY && !profiler_simulates())
            (void)program_become(true, argv); // without it, the reason why is what is left
        if (*hotspots->fatal) {
            fprintf(stderr, "apodkit: %s\n", hotspots->fatal);
            return EXIT_NO_DEVICE;
        }
        print_step(request, hotspots, at);
        if (at->outcome == VERIFIED)
            continue;
        fprintf(stderr, "apodkit: step %d %s: %s\n", at->step,
                at->outcome == WRONG ? "gave a wrong result" : "failed", at->complaint);
        status = EXIT_WRONG;
    }
    if (request->json && !json_finish(request->json, json_of_hotspots(hotspots)))
        status = EXIT_WRONG;
    return status;
}

int hotspots_main(int argc, char **argv)
{
    struct request request;
    enum parsed parsed = parse(argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    if (!program_choose(request.choice, request.sim_device, argv - 1))
        return EXIT_NO_DEVICE;
    // A setting in the environment that makes no sense ends the program here, while it is one.
    (void)profiler_checks_accesses();
    if (request.json && !json_writable(request.json))
        return EXIT_WRONG;
    struct hotspots *hotspots =
        mmap(NULL, sizeof *hotspots, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (hotspots == MAP_FAILED) {
        fprintf(stderr, "apodkit: mmap of %zu bytes for the counts: %s\n", sizeof *hotspots,
                strerror(errno));
        return EXIT_WRONG;
    }
    for (int i = 0; i < step_count(); i++)
        if (request.chosen[i])
            hotspots->steps[hotspots->count++].step = step_at(i)->number;
    int status = count_steps(&request, hotspots, argv - 1);
    munmap(hotspots, sizeof *hotspots);
    return status;
}
