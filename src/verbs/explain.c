// ./run explain [STEP...]: what limits each step, and how the prediction of that stands beside what a
// GPU measured. The steps are run by the kit's programs, which give their runs as JSON.
#include "advice/explanation.h"
#include "base/platform.h"
#include "base/sim_devices.h"
#include "command_line/options.h"
#include "files/json.h"
#include "files/run_read.h"
#include "show/report.h"
#include "verbs/inner_run.h"

#include <stdlib.h>

// The largest n that is predicted beside a measurement: more takes minutes on a small machine.
enum { PREDICTED_N = 8192 };

static struct run *open_recorded(const char *name, int *status)
{
    struct run *run = run_open(name);
    if (run && !run->device.simulated)
        return run;
    if (run)
        fprintf(stderr,
                "apodkit: --recorded takes a run on a GPU, and %s is of a simulated device\n",
                name);
    free(run);
    *status = EXIT_USAGE;
    return NULL;
}

// The run to explain: a recorded one, or one that a GPU makes now. NULL with a status of EXIT_GOOD
// where there is neither.
static struct run *find_measured(const struct options *options, int *status)
{
    *status = EXIT_GOOD;
    if (options->recorded)
        return open_recorded(options->recorded, status);
    if (platform.simulated || (options->choice == GPU_IF_ANY && device_none()))
        return NULL;
    char device[24];
    snprintf(device, sizeof device, "--device=%ld", options->device);
    struct inner_run asked = {.device = device, .n = options->n, .chosen = options->chosen};
    return inner_run(&asked, "just now", status);
}

// The prediction: for the device that is named, or the one that is nearest to the measured one.
static struct run *predict(const struct options *options, const struct run *measured, int *status)
{
    char device[64] = "--sim";
    if (options->sim_device || measured)
        snprintf(device, sizeof device, "--sim=%s",
                 options->sim_device
                     ? options->sim_device
                     : sim_device_nearest(measured->device.name, measured->device.cc_major,
                                          measured->device.cc_minor)
                           ->name);
    struct inner_run asked = {
        .simulated = true, .device = device, .n = options->n, .chosen = options->chosen};
    if (measured && !asked.n)
        asked.n = measured->n;
    if (measured && asked.n > PREDICTED_N)
        asked.n = PREDICTED_N;
    *status = EXIT_WRONG;
    return inner_runs_unchecked() ? inner_run(&asked, "predicted", status) : NULL;
}

// Of a recorded run, the steps that were named.
static void drop_others(struct comparison *comparison)
{
    int kept = 0;
    for (int i = 0; i < comparison->count; i++)
        if (comparison->pairs[i].b)
            comparison->pairs[kept++] = comparison->pairs[i];
    comparison->count = kept;
}

static bool print(const struct options *options, const struct run *measured,
                  const struct run *predicted)
{
    struct explanation explanation;
    explanation_make(&explanation, measured, predicted);
    if (options->names_steps)
        drop_others(&explanation.comparison);
    if (options->json)
        return json_finish(options->json, json_of_explanation(&explanation));
    struct report report = {.file = stdout, .style = style_for(stdout, options->color)};
    report_explanation(&report, &explanation);
    return true;
}

static int explain(const struct options *options)
{
    if (!options->recorded && !program_choose(options->choice, options->sim_device, options->argv))
        return EXIT_NO_DEVICE;
    int measuring, predicting = EXIT_GOOD;
    struct run *measured = find_measured(options, &measuring), *predicted = NULL;
    if (measured || measuring == EXIT_GOOD)
        predicted = predict(options, measured, &predicting);
    if (predicted && !print(options, measured, predicted))
        predicting = EXIT_WRONG;
    free(measured);
    free(predicted);
    return measuring != EXIT_GOOD ? measuring : predicting;
}

static const struct option_row rows[] = {
    N_ROW("matrices of N x N floats (default: the device's). A GPU's larger ones are predicted at "
          "N = " /* PREDICTED_N */ "8192"),
    FIELD_ROW("recorded", "RUN", RECORDED_RUN, recorded,
              "explain a recorded run in place of a measurement: a file of ./run --json, a saved "
              "run's name or a reference (h200, gtc2012)"),
    DEVICE_ROWS("a GPU or nothing; predictions alone, for another GPU (--sim=list)"),
    LAST_ROWS,
};

const struct verb explain_verb = {
    .name = "explain",
    .summary = "what limits each step, by a timing model, beside what was measured",
    .takes = "[STEP...]",
    .about =
        "What limits each step (all, or those named), and what would help. A timing model says how "
        "busy every part of the GPU is; on a GPU its prediction, of the simulated device that "
        "comes nearest, stands beside the measurement, so that you see how far to trust it.",
    .notes = "Predictions are made without the checks of every access, which `./run --sim` makes.",
    .words = STEP_WORDS,
    .options = rows,
    .main = explain,
};
