#include "verbs/instrument.h"

#include "base/progress.h"
#include "facts/launches.h"
#include "files/json.h"

enum { REASON_SIZE = 512 }; // why the instrument fails, and what to do about it

const struct options instrument_defaults = {.timeout_s = 60};

// What the looks at all steps share.
struct view {
    const struct instrument *instrument;
    const struct options *options;
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
    const struct instrument *instrument = errand->view->instrument;
    struct inspected *at = errand->at;
    const struct note in_the_kernel = {.limited = true}, on_the_host = {.limited = false};
    char why[REASON_SIZE];
    launches_forget();
    errand->sender->send(errand->sender->context, in_the_kernel);
    bool seen = instrument->measure(opened, errand->view->options->device, launch, errand, at, why,
                                    sizeof why);
    cudaError_t error = errand->error == cudaSuccess ? cudaDeviceSynchronize() : errand->error;
    errand->sender->send(errand->sender->context, on_the_host);

    struct launch_record launched = launches_largest();
    if (!launch_ok(error, &launched, at->step, step_find(at->step)->file, at->n, at->complaint,
                   COMPLAINT_SIZE))
        return FAILED;
    if (!seen) {
        snprintf(at->complaint, COMPLAINT_SIZE, "its %s: %s", instrument->cannot, why);
        return FAILED;
    }
    return problem_verify(&errand->problem, launch_tile(&launched), at->complaint, COMPLAINT_SIZE)
               ? VERIFIED
               : WRONG;
}

static void run_errand(void *context, const struct note_sender *sender)
{
    struct errand *errand = context;
    const struct instrument *instrument = errand->view->instrument;
    struct inspected *at = errand->at;
    char why[REASON_SIZE];
    errand->sender = sender;
    void *opened = instrument->open(why, sizeof why);
    if (!inspect_open_device(errand->view->options, errand->inspection, at)) {
        instrument->close(opened);
        return;
    }
    if (!opened) {
        snprintf(errand->inspection->fatal, FAILURE_SIZE, "%s: %s", instrument->cannot, why);
        return;
    }
    at->outcome = problem_open(&errand->problem, at->n, NULL, at->complaint) &&
                          problem_poison_output(&errand->problem, at->complaint)
                      ? measure(errand, opened)
                      : FAILED;
    problem_close(&errand->problem);
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
    inspect_in_process(run_errand, &errand, view->options->timeout_s, at->step, complaint);
    progress_wipe();
    inspect_conclude(inspection, at, complaint);
}

static bool hand_out(void *context, const struct inspection *inspection)
{
    const struct view *view = context;
    const char *json = view->options->json;
    return !json || json_finish(json, view->instrument->json(inspection));
}

int instrument_main(const struct instrument *instrument, const struct options *options)
{
    if (!inspect_begin(options))
        return EXIT_NO_DEVICE;
    if (options->json && !json_writable(options->json))
        return EXIT_WRONG;
    struct view view = {instrument, options};
    struct inspector inspector = instrument->inspector;
    inspector.of = "what is seen";
    inspector.is_printed = !is_stdout(options->json);
    inspector.context = &view;
    inspector.look = look;
    inspector.hand_out = hand_out;
    return inspect(&inspector, options);
}
