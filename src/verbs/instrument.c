#include "verbs/instrument.h"

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

// What the errands share; the rest is of one.
struct view {
    const struct instrument_verb *verb;
    const struct verb_options *request;
    void *opened; // the instrument
    bool seen;
    char why[REASON_SIZE]; // if not
};

static cudaError_t launch_to_see(void *context)
{
    struct errand *errand = context;
    struct view *view = errand->context;
    view->seen = view->verb->instrument->measure(
        view->opened, errand->options->device, trial_launch_watched, errand,
        (char *)errand->at + view->verb->seen, view->why, sizeof view->why);
    return errand->trial.error;
}

static bool has_seen(struct trial *trial, char *complaint)
{
    const struct view *view = ((const struct errand *)trial)->context;
    if (!view->seen)
        snprintf(complaint, COMPLAINT_SIZE, "its %s: %s", view->verb->cannot, view->why);
    return view->seen;
}

static void look(struct errand *errand)
{
    struct view *view = errand->context;
    const struct line_instrument *instrument = view->verb->instrument;
    struct inspected *at = errand->at;
    view->opened = instrument ? instrument->open(view->why, sizeof view->why) : NULL;
    bool device = errand_open_device(errand);
    if (device && !view->opened)
        snprintf(errand->inspection->fatal, FAILURE_SIZE, "%s: %s", view->verb->cannot,
                 instrument ? view->why : view->verb->why_not);
    else if (device)
        at->outcome = problem_open(&errand->problem, at->n, NULL, at->complaint)
                          ? trial_verify(&errand->trial, launch_to_see, has_seen, at->complaint)
                          : FAILED;
    if (view->opened)
        instrument->close(view->opened);
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
    struct view view = {.verb = verb, .request = &request};
    struct inspector inspector = verb->inspector;
    inspector.of = "what is seen";
    inspector.is_printed = !request.json || strcmp(request.json, "-") != 0;
    inspector.context = &view;
    inspector.look = look;
    inspector.hand_out = hand_out;
    return inspect(&inspector, &request, argv - 1);
}
