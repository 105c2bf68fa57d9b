#include "verbs/instrument.h"

#include "files/json.h"

enum { REASON_SIZE = 512 }; // why the instrument fails, and what to do about it

const struct options instrument_defaults = {.timeout_s = 60};

// What the errands share; the rest is of one.
struct view {
    const struct instrument_verb *verb;
    const struct options *options;
    void *opened; // the instrument
    bool seen;
    char why[REASON_SIZE]; // if not
};

static cudaError_t launch_to_see(void *context)
{
    struct errand *errand = context;
    struct view *view = errand->context;
    view->seen = view->verb->instrument->measure(
        view->opened, (int)errand->options->device, trial_launch_watched, errand,
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
    const char *json = view->options->json;
    return !json || json_finish(json, view->verb->json(inspection));
}

int instrument_main(const struct instrument_verb *verb, const struct options *options)
{
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return EXIT_NO_DEVICE;
    if (options->json && !json_writable(options->json))
        return EXIT_WRONG;
    struct view view = {.verb = verb, .options = options};
    struct inspector inspector = verb->inspector;
    inspector.of = "what is seen";
    inspector.is_printed = !is_stdout(options->json);
    inspector.context = &view;
    inspector.look = look;
    inspector.hand_out = hand_out;
    return inspect(&inspector, options);
}
