#define _GNU_SOURCE // mmap(MAP_ANONYMOUS)
#include "inspect.h"

#include "ending.h"
#include "format.h"
#include "json.h"
#include "problem.h"
#include "verb_options.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { REASON_SIZE = 512 }; // why the instrument fails, and what to do about it

static bool check(void *context)
{
    (void)context;
    return any_step_is_built();
}

static enum parsed parse(const struct inspector *inspector, int argc, char **argv,
                         struct verb_options *request)
{
    static const struct option options[] = {
        {"gpu", no_argument, NULL, 'g'},          {"sim", optional_argument, NULL, 'm'},
        {"device", required_argument, NULL, 'd'}, {"timeout", required_argument, NULL, 't'},
        {"json", required_argument, NULL, 'j'},   {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    struct verb_syntax syntax = {.verb = inspector->verb,
                                 .help = inspector->help,
                                 .letters = "n:h",
                                 .options = options,
                                 .check = check};
    *request = (struct verb_options){.timeout_s = inspector->timeout_s};
    return verb_options_parse(&syntax, argc, argv, request);
}

// One step's work, in a process of its own.
struct errand {
    const struct inspector *inspector;
    const struct verb_options *request;
    struct inspection *inspection; // in memory shared with the supervisor, like `at`
    struct inspected *at;
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
    struct inspection *inspection = errand->inspection;
    int count = 0;
    if (!device_open(errand->request->device, &inspection->device, inspection->fatal)) {
        inspection->no_gpu = cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
        return false;
    }
    inspection->n = errand->request->n ? errand->request->n : device_default_n(&inspection->device);
    errand->at->n = step_size(errand->at->step, inspection->n);
    return true;
}

// Looks at launches into a poisoned output, and verifies that.
static enum outcome look(struct errand *errand, void *instrument)
{
    const struct inspector *inspector = errand->inspector;
    struct inspected *at = errand->at;
    const struct note in_the_kernel = {.limited = true}, on_the_host = {.limited = false};
    char why[REASON_SIZE];
    launches_forget();
    errand->sender->send(errand->sender->context, in_the_kernel);
    bool seen = inspector->measure(instrument, errand->request->device, launch, errand, at, why,
                                   sizeof why);
    cudaError_t error = errand->error == cudaSuccess ? cudaDeviceSynchronize() : errand->error;
    errand->sender->send(errand->sender->context, on_the_host);

    struct launch_record launched = launches_largest();
    if (!kernel_ok(error, at->complaint, COMPLAINT_SIZE, "the kernel of step %d at n = %zu",
                   at->step, at->n))
        return FAILED;
    if (!seen) {
        snprintf(at->complaint, COMPLAINT_SIZE, "its %s: %s", inspector->cannot, why);
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
    const struct inspector *inspector = errand->inspector;
    struct inspected *at = errand->at;
    char why[REASON_SIZE];
    errand->sender = sender;
    void *instrument = inspector->open(why, sizeof why);
    if (!open_device(errand)) {
        inspector->close(instrument);
        return;
    }
    if (!instrument) {
        snprintf(errand->inspection->fatal, FAILURE_SIZE, "%s: %s", inspector->cannot, why);
        return;
    }
    at->outcome = problem_open(&errand->problem, at->n, NULL, at->complaint) &&
                          problem_poison_output(&errand->problem, at->complaint)
                      ? look(errand, instrument)
                      : FAILED;
    problem_close(&errand->problem);
    inspector->close(instrument);
}

// The kernel has begun, or ended; nothing needs to be done about it.
static void ignore(void *context, struct note note)
{
    (void)context;
    (void)note;
}

// Looks at one step; says in its place when its process ended without a word.
static void inspect_step(struct errand *errand)
{
    struct inspected *at = errand->at;
    struct supervision supervision = {.work = run_errand,
                                      .work_context = errand,
                                      .handle = ignore,
                                      .timeout_s = errand->request->timeout_s};
    int status;
    enum ending ending = supervise(&supervision, &status);
    if (at->outcome != PENDING || *errand->inspection->fatal)
        return;
    at->outcome = FAILED;
    if (ending == NOT_STARTED)
        snprintf(at->complaint, COMPLAINT_SIZE, "no process can be started for it: %s",
                 strerror(status));
    else
        explain_ending(ending, status, supervision.timeout_s, step_find(at->step), true,
                       at->complaint);
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

// What is to be said of the file; "" when it is as the build saw it.
static void remark_on(const struct source_file *source, char remark[REASON_SIZE])
{
    char command[MAKE_COMMAND_SIZE];
    rebuild_command(0, command);
    *remark = '\0';
    if (source->state == SOURCE_MISSING)
        snprintf(remark, REASON_SIZE, "the file is not there any more");
    else if (source->state == SOURCE_EDITED)
        snprintf(remark, REASON_SIZE,
                 "the file was edited after the program was built: what ran may have stood on "
                 "other lines. Type `%.300s`.",
                 command);
}

void print_inspected(FILE *file, const struct style *style, int number, size_t n,
                     const struct source_file *source)
{
    const struct step *step = step_find(number);
    const char *dot = style_text(style, "·", "-");
    fprintf(file, "\n%sStep %d %s %s %s %s%s\n", tone_start(style, TONE_TITLE), step->number, dot,
            stage_name(step->stage), dot, step->title, tone_end(style, TONE_TITLE));
    fprintf(file, "  %s, n = %zu\n", source->name, n);
    char remark[REASON_SIZE];
    remark_on(source, remark);
    if (*remark) {
        fprintf(file, "%s", tone_start(style, TONE_BAD));
        put_wrapped(file, "  ! ", remark);
        fprintf(file, "%s", tone_end(style, TONE_BAD));
    }
}

static void print_step(const struct errand *errand, int place)
{
    const struct inspector *inspector = errand->inspector;
    const struct verb_options *request = errand->request;
    if (request->json && strcmp(request->json, "-") == 0)
        return;
    struct style style = style_for(stdout, request->color);
    struct source_file source = source_file_find(step_find(errand->at->step)->file);
    if (place == 0)
        inspector->print_device(stdout, &style, errand->inspection);
    inspector->print_step(stdout, &style, errand->at, &source);
    if (place == errand->inspection->count - 1)
        inspector->print_legend(stdout);
    fflush(stdout);
}

// Looks at all that was asked for, and prints it.
static int inspect_steps(const struct inspector *inspector, const struct verb_options *request,
                         struct inspection *inspection, char **argv)
{
    int status = EXIT_GOOD;
    for (int i = 0; i < inspection->count; i++) {
        struct errand errand = {.inspector = inspector,
                                .request = request,
                                .inspection = inspection,
                                .at = inspector->step(inspection, i)};
        const struct inspected *at = errand.at;
        show_progress(step_find(at->step));
        inspect_step(&errand);
        show_progress(NULL);
        if (inspection->no_gpu && request->choice == GPU_IF_ANY && !profiler_simulates())
            (void)program_become(true, argv); // without it, the reason why is what is left
        if (*inspection->fatal) {
            fprintf(stderr, "apodkit: %s\n", inspection->fatal);
            return EXIT_NO_DEVICE;
        }
        print_step(&errand, i);
        if (at->outcome == VERIFIED)
            continue;
        fprintf(stderr, "apodkit: step %d %s: %s\n", at->step,
                at->outcome == WRONG ? "gave a wrong result" : "failed", at->complaint);
        status = EXIT_WRONG;
    }
    if (request->json && !json_finish(request->json, inspector->json(inspection)))
        status = EXIT_WRONG;
    return status;
}

int inspect(const struct inspector *inspector, int argc, char **argv)
{
    struct verb_options request;
    enum parsed parsed = parse(inspector, argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    if (!program_choose(request.choice, request.sim_device, argv - 1))
        return EXIT_NO_DEVICE;
    // A setting in the environment that makes no sense ends the program here, while it is one.
    (void)profiler_checks_accesses();
    if (request.json && !json_writable(request.json))
        return EXIT_WRONG;
    struct inspection *inspection =
        mmap(NULL, inspector->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (inspection == MAP_FAILED) {
        fprintf(stderr, "apodkit: mmap of %zu bytes for what is seen: %s\n", inspector->size,
                strerror(errno));
        return EXIT_WRONG;
    }
    for (int i = 0; i < step_count(); i++)
        if (request.chosen[i])
            inspector->step(inspection, inspection->count++)->step = step_at(i)->number;
    int status = inspect_steps(inspector, &request, inspection, argv - 1);
    munmap(inspection, inspector->size);
    return status;
}
