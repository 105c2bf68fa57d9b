#include "verbs/instrument.h"

#include "base/progress.h"
#include "facts/launches.h"
#include "files/json.h"

#include <string.h>

enum { REASON_SIZE = 512 }; // why the instrument fails, and what to do about it

static bool check(void *context)
{
    (void)context;
    return any_step_is_built();
}

static enum parsed parse(const struct instrument_verb *verb, int argc, char **argv,
                         struct verb_options *request)
{
    static const struct option options[] = {
        {"gpu", no_argument, NULL, 'g'},          {"sim", optional_argument, NULL, 'm'},
        {"device", required_argument, NULL, 'd'}, {"timeout", required_argument, NULL, 't'},
        {"json", required_argument, NULL, 'j'},   {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0},
    };
    struct verb_syntax syntax = {.verb = verb->verb,
                                 .help = verb->help,
                                 .letters = "n:h",
                                 .options = options,
                                 .check = check};
    *request = (struct verb_options){.timeout_s = verb->timeout_s};
    return verb_options_parse(&syntax, argc, argv, request);
}

// What the looks at all steps share.
struct view {
    const struct instrument_verb *verb;
    const struct verb_options *request;
};

// One step's work, in a process of its own.
struct errand {
    const struct view *view;
    struct inspection *inspection; // in memory shared with the supervisor, like `at`
    struct inspected *at;
    const struct note_sender *sender;
    struct problem problem;
    cudaError_t error; // of the launch
};

static void launch(void *context)
{
    struct errand *errand = context;
    errand->error = inspect_launch(errand->at, &errand->problem);
}

// Looks at launches into a poisoned output, and verifies that.
static enum outcome measure(struct errand *errand, void *opened)
{
    const struct instrument_verb *verb = errand->view->verb;
    struct inspected *at = errand->at;
    const struct note in_the_kernel = {.limited = true}, on_the_host = {.limited = false};
    char why[REASON_SIZE];
    launches_forget();
    errand->sender->send(errand->sender->context, in_the_kernel);
    bool seen = verb->instrument->measure(opened, errand->view->request->device, launch, errand,
                                          (char *)at + verb->seen, why, sizeof why);
    cudaError_t error = errand->error == cudaSuccess ? cudaDeviceSynchronize() : errand->error;
    errand->sender->send(errand->sender->context, on_the_host);

    struct launch_record launched = launches_largest();
    if (!launch_ok(error, &launched, at->step, step_find(at->step)->file, at->n, at->complaint,
                   COMPLAINT_SIZE))
        return FAILED;
    if (!seen) {
        snprintf(at->complaint, COMPLAINT_SIZE, "its %s: %s", verb->cannot, why);
        return FAILED;
    }
    return problem_verify(&errand->problem, launch_tile(&launched), at->complaint, COMPLAINT_SIZE)
               ? VERIFIED
               : WRONG;
}

static void run_errand(void *context, const struct note_sender *sender)
{
    struct errand *errand = context;
    const struct instrument_verb *verb = errand->view->verb;
    const struct line_instrument *instrument = verb->instrument;
    struct inspected *at = errand->at;
    char why[REASON_SIZE];
    errand->sender = sender;
    void *opened = instrument ? instrument->open(why, sizeof why) : NULL;
    bool device = inspect_open_device(errand->view->request, errand->inspection, at);
    if (device && !opened)
        snprintf(errand->inspection->fatal, FAILURE_SIZE, "%s: %s", verb->cannot,
                 instrument ? why : verb->why_not);
    else if (device)
        at->outcome = problem_open(&errand->problem, at->n, NULL, at->complaint) &&
                              problem_poison_output(&errand->problem, at->complaint)
                          ? measure(errand, opened)
                          : FAILED;
    problem_close(&errand->problem);
    if (opened)
        instrument->close(opened);
}

static void show_progress(int number)
{
    char now[128];
    snprintf(now, sizeof now, "step %d: %.80s", number, step_find(number)->title);
    progress_say(now);
}

static void look(void *context, struct inspection *inspection, struct inspected *at)
{
    const struct view *view = context;
    struct errand errand = {.view = view, .inspection = inspection, .at = at};
    char complaint[COMPLAINT_SIZE] = "";
    show_progress(at->step);
    inspect_in_process(run_errand, &errand, view->request->timeout_s, at->step, complaint);
    progress_wipe();
    inspect_conclude(inspection, at, complaint);
}

static bool hand_out(void *context, const struct inspection *inspection)
{
    const struct view *view = context;
    const char *json = view->request->json;
    return !json || json_finish(json, view->verb->json(inspection));
}

int instrument_main(const struct instrument_verb *verb, int argc, char **argv)
{
    struct verb_options request;
    enum parsed parsed = parse(verb, argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    if (!program_choose(request.choice, request.sim_device, argv - 1))
        return EXIT_NO_DEVICE;
    if (request.json && !json_writable(request.json))
        return EXIT_WRONG;
    struct view view = {verb, &request};
    struct inspector inspector = verb->inspector;
    inspector.of = "what is seen";
    inspector.is_printed = !request.json || strcmp(request.json, "-") != 0;
    inspector.context = &view;
    inspector.look = look;
    inspector.hand_out = hand_out;
    return inspect(&inspector, &request, argv - 1);
}
