#include "verbs/instrument.h"

#include "base/progress.h"
#include "files/json.h"
#include "measure/trial.h"

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
    struct trial trial;
    const struct view *view;
    struct inspection *inspection; // in memory shared with the supervisor, like `at`
    struct inspected *at;
    struct problem problem;
    void *opened; // the instrument
    bool seen;
    char why[REASON_SIZE]; // if not
};

static cudaError_t launch_to_see(void *context)
{
    struct errand *errand = context;
    const struct view *view = errand->view;
    errand->seen = view->verb->instrument->measure(
        errand->opened, view->request->device, trial_launch_watched, errand,
        (char *)errand->at + view->verb->seen, errand->why, sizeof errand->why);
    return errand->trial.error;
}

static bool has_seen(struct trial *trial, char *complaint)
{
    const struct errand *errand = (const struct errand *)trial;
    if (!errand->seen)
        snprintf(complaint, COMPLAINT_SIZE, "its %s: %s", errand->view->verb->cannot, errand->why);
    return errand->seen;
}

static void run_errand(void *context, const struct note_sender *sender)
{
    struct errand *errand = context;
    const struct instrument_verb *verb = errand->view->verb;
    const struct line_instrument *instrument = verb->instrument;
    struct inspected *at = errand->at;
    errand->trial.sender = sender;
    errand->opened = instrument ? instrument->open(errand->why, sizeof errand->why) : NULL;
    bool device = inspect_open_device(errand->view->request, errand->inspection, at);
    if (device && !errand->opened)
        snprintf(errand->inspection->fatal, FAILURE_SIZE, "%s: %s", verb->cannot,
                 instrument ? errand->why : verb->why_not);
    else if (device)
        at->outcome = problem_open(&errand->problem, at->n, NULL, at->complaint)
                          ? trial_verify(&errand->trial, launch_to_see, has_seen, at->complaint)
                          : FAILED;
    problem_close(&errand->problem);
    if (errand->opened)
        instrument->close(errand->opened);
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
    struct errand errand = {
        .trial = {.step = step_find(at->step)}, .view = view, .inspection = inspection, .at = at};
    errand.trial.problem = &errand.problem;
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
