#include "verbs/hotspots_and_stalls.h"

#include "files/json.h"

enum { REASON_SIZE = 512 }; // why the instrument fails, and what to do about it

const struct option_row line_verb_rows[] = {N_AS_RUN_ROW, DEVICE_ROWS(ANOTHER_GPU),
                                            TIMEOUT_ROW(1, "60", ""), LAST_ROWS};
const struct options line_verb_defaults = {.timeout_s = 60};

// What the tasks share; the rest is of one.
struct view {
    const struct line_verb *verb;
    const struct options *options;
    void *opened; // the instrument
    bool seen;
    char why[REASON_SIZE]; // if not
};

static cudaError_t launch_to_see(void *context)
{
    struct inspection_task *task = context;
    struct view *view = task->context;
    view->seen = view->verb->instrument->measure(
        view->opened, (int)task->options->device, trial_launch_watched, task,
        (char *)task->at + view->verb->seen, view->why, sizeof view->why);
    return task->trial.error;
}

static bool has_seen(struct trial *trial, char *complaint)
{
    const struct view *view = ((const struct inspection_task *)trial)->context;
    if (!view->seen)
        snprintf(complaint, COMPLAINT_SIZE, "its %s: %s", view->verb->cannot, view->why);
    return view->seen;
}

static void look(struct inspection_task *task)
{
    struct view *view = task->context;
    const struct line_instrument *instrument = view->verb->instrument;
    struct inspected *at = task->at;
    view->opened = instrument ? instrument->open(view->why, sizeof view->why) : NULL;
    bool device = inspection_open_device(task);
    if (device && !view->opened)
        snprintf(task->inspection->fatal, FAILURE_SIZE, "%s: %s", view->verb->cannot,
                 instrument ? view->why : view->verb->why_not);
    else if (device)
        at->outcome = problem_open(&task->problem, at->n, NULL, at->complaint)
                          ? trial_verify(&task->trial, launch_to_see, has_seen, at->complaint)
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

int line_verb_main(const struct line_verb *verb, const struct options *options)
{
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return EXIT_NO_DEVICE;
    struct view view = {.verb = verb, .options = options};
    struct inspector inspector = verb->inspector;
    inspector.of = "what is seen";
    inspector.is_printed = !is_stdout(options->json);
    inspector.context = &view;
    inspector.look = look;
    inspector.hand_out = hand_out;
    return inspect(&inspector, options);
}
