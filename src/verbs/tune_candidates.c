#include "base/platform.h"
#include "base/progress.h"
#include "base/sim_devices.h"
#include "facts/matrix_size.h"
#include "files/json.h"
#include "files/tuned.h"
#include "measure/ask_launches.h"
#include "measure/launch_in_turns.h"
#include "show/report.h"
#include "verbs/inner_run.h"
#include "verbs/tune.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Where the model predicts in seconds, and the matrices are larger than the L2.
enum { MODEL_N = 4096 };

static void show(const struct tuning *tuning, int place)
{
    char now[TITLE_SIZE + 32];
    if (place == tuning->count)
        snprintf(now, sizeof now, "launching in turns");
    else
        snprintf(now, sizeof now, "%s", step_find(tuning->candidates[place].number)->title);
    progress_show(place, tuning->count + !tuning->device.simulated, now);
}

// What the device says before anything runs: which it is, and whether an SM holds a block of each candidate.
static bool ask_device(const struct options *options, struct tuning *tuning)
{
    struct launch_answers *answers = malloc(sizeof *answers);
    bool chosen[MAX_STEPS] = {false};
    if (!answers)
        return host_memory_failed(tuning->fatal, "the launches", sizeof *answers);
    for (int i = 0; i < tuning->count; i++)
        chosen[i] = true;
    bool good = ask_launches((int)options->device, tuning->n, chosen, answers);
    tuning->device = answers->device;
    tuning->no_gpu = answers->no_gpu;
    memcpy(tuning->fatal, answers->fatal, FAILURE_SIZE);
    for (int i = 0; good && i < tuning->count; i++) {
        const struct launch_answer *answer = &answers->steps[i];
        struct candidate *candidate = &tuning->candidates[i];
        struct occupancy occupancy;
        if (*answer->failure)
            continue; // it will fail when it is launched, and say so
        occupancy = occupancy_of(&tuning->device.sm, answer->needs.threads,
                                 (unsigned)answer->needs.registers, answer->needs.shared_bytes);
        if (occupancy.blocks > 0)
            continue;
        candidate->state = CANDIDATE_LACKING;
        snprintf(candidate->complaint, COMPLAINT_SIZE, "an SM holds no block of it: %s",
                 occupancy_limit_name(occupancy.limit));
    }
    free(answers);
    return good;
}

// What the model says of the candidates on the simulated device that is nearest to this GPU, or said at the size before.
static void predict(struct tuning *tuning, const struct tuning *before)
{
    char program[KIT_PATH_SIZE], device[64];
    bool chosen[MAX_STEPS] = {false};
    int status, step = lab_step(lab_here());
    const struct device *gpu = &tuning->device;
    size_t n = tuning->n && tuning->n < MODEL_N ? tuning->n : MODEL_N;
    if (before && before->model_n == n) {
        tuning->model_n = n;
        for (int i = 0; i < tuning->count; i++)
            tuning->candidates[i].predicted_ms = before->candidates[i].predicted_ms;
        return;
    }
    snprintf(device, sizeof device, "--sim=%s",
             sim_device_nearest(gpu->name, gpu->cc_major, gpu->cc_minor)->name);
    for (int i = 0; i < tuning->count; i++)
        chosen[i] = tuning->candidates[i].state == CANDIDATE_PENDING;
    bool found = step > 0 ? tune_program(step, true, program) : program_path(true, program);
    struct inner_run asked = {
        .program = program, .simulated = true, .device = device, .n = n, .chosen = chosen};
    progress_say("predicting the candidates");
    struct run *run =
        found && inner_runs_unchecked() ? inner_run(&asked, "predicted", &status) : NULL;
    progress_wipe();
    if (!run) {
        snprintf(tuning->why_no_model, WHY_SIZE, "the simulated device's program gave nothing");
        return;
    }
    tuning->model_n = n;
    for (int i = 0; i < tuning->count; i++) {
        const struct step_result *result = run_find(run, tuning->candidates[i].number);
        if (result && result->outcome == VERIFIED && value_known(&result->values[TIME_MS]))
            tuning->candidates[i].predicted_ms = result->values[TIME_MS].number;
    }
    free(run);
}

static void put_over_all(const struct tunings *tunings, int chosen)
{
    char text[256];
    snprintf(
        text, sizeof text,
        "Over all sizes it takes %.4f times as long as the fastest of each, and what ./run has "
        "%.4f (geometric means).",
        tunings_behind(tunings, chosen), tunings_behind(tunings, 0));
    putchar('\n');
    put_wrapped(stdout, "", text);
}

// What goes into the launch box, and where it is.
static bool keep(const struct tunings *tunings, int chosen, bool silent)
{
    const struct device *device = &tunings->at->device;
    int step = lab_step(lab_here());
    char name[TUNED_NAME_SIZE], settings[SETTINGS_SIZE];
    if (!tuned_keep(tunings, name))
        return false;
    settings_text(step_find(tunings->at->candidates[chosen].number), settings);
    for (int i = 0; i < tunings->count && !silent; i++)
        if (matrix_size_fits_in_l2(device, tunings->at[i].n))
            printf("\nAt n = %zu both matrices fit in the L2: larger ones may want other "
                   "settings.\n",
                   tunings->at[i].n);
    if (!silent && tunings->count > 1)
        put_over_all(tunings, chosen);
    if (!silent)
        printf("\nLaunch box, compute capability %d.%d: step %d, %s.\n"
               "tuned/%s has it: `make TUNED=%s && ./run %d`.\n",
               device->cc_major, device->cc_minor, step, settings, name,
               device->simulated ? name : "1", step);
    return true;
}

// What was found at one size. Whether all candidates were right.
static bool report_one(const struct tuning *tuning, const struct options *options)
{
    struct report report = {.file = stdout, .style = style_for(stdout, options->color)};
    if (!is_stdout(options->json))
        report_tuning(&report, tuning);
    for (int i = 0; i < tuning->count; i++)
        if (tuning->candidates[i].state == CANDIDATE_WRONG)
            fprintf(stderr, "apodkit: %s: %s\n", step_find(tuning->candidates[i].number)->title,
                    tuning->candidates[i].complaint);
    return tuning_count(tuning, CANDIDATE_WRONG) == 0;
}

static int hand_out(const struct options *options, const struct tunings *tunings)
{
    int chosen = tunings_choice(tunings);
    bool good = true;
    for (int i = 0; i < tunings->count; i++) {
        if (i > 0 && !is_stdout(options->json))
            putchar('\n');
        good = report_one(&tunings->at[i], options) && good;
    }
    if (options->json && !json_finish(options->json, json_of_tunings(tunings)))
        good = false;
    if (chosen < 0)
        fprintf(stderr, "apodkit: none of the candidates can be used\n");
    else if (lab_step(lab_here()) > 0)
        good = keep(tunings, chosen, is_stdout(options->json)) && good;
    return chosen >= 0 && good ? EXIT_GOOD : EXIT_WRONG;
}

// At one size. Returns the exit status, after a message.
static int tune_at(const struct options *options, const struct tuning *before,
                   struct tuning *tuning)
{
    const struct turns turns = {.device = (int)options->device,
                                .timeout_s = (double)options->timeout_s,
                                .output = is_stdout(options->json) ? stderr : stdout,
                                .show = show};
    bool opened = ask_device(options, tuning), good = opened;
    if (good && !tuning->device.simulated) {
        predict(tuning, before);
        if (!options->tune_all)
            tuning_prune(tuning);
    }
    good = good && launch_in_turns(&turns, tuning);
    progress_wipe();
    if (tuning->no_gpu)
        program_without_gpu(options->choice, options->argv);
    if (!good)
        fprintf(stderr, "apodkit: %s\n", tuning->fatal);
    return good ? EXIT_GOOD : opened ? EXIT_WRONG : EXIT_NO_DEVICE;
}

static int tune_all(const struct options *options, const struct range *sizes,
                    struct tunings *tunings)
{
    int status = EXIT_GOOD;
    for (int i = 0; status == EXIT_GOOD && i < tunings->count; i++) {
        struct tuning *tuning = &tunings->at[i];
        tuning->n = sizes->values[i];
        tuning->count = step_count();
        for (int k = 0; k < tuning->count; k++)
            tuning->candidates[k].number = step_at(k)->number;
        status = tune_at(options, i ? tuning - 1 : NULL, tuning);
    }
    return status == EXIT_GOOD ? hand_out(options, tunings) : status;
}

int tune_candidates(const struct options *options)
{
    const struct range one = {.count = 1, .values = {platform.simulated ? MODEL_N : 0}};
    const struct range *sizes = options->sizes.count ? &options->sizes : &one;
    struct tunings tunings = {.count = sizes->count,
                              .at = calloc((size_t)sizes->count, sizeof *tunings.at)};
    if (!tunings.at) {
        fprintf(stderr, "apodkit: there are no %zu bytes for the candidates: %s\n",
                (size_t)sizes->count * sizeof *tunings.at, strerror(errno));
        return EXIT_WRONG;
    }
    int status = platform.simulated && !inner_runs_unchecked() ? EXIT_WRONG
                                                               : tune_all(options, sizes, &tunings);
    free(tunings.at);
    return status;
}
