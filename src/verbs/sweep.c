// ./run sweep STEP... n=RANGE: steps over a range of sizes, and of geometries.
#include "verbs/sweep.h"

#include "facts/run.h"
#include "files/csv.h"
#include "files/json.h"

#include <stdlib.h>
#include <string.h>

// "n=...", "TILE=..." or "ROWS=...".
static bool take_range(const char *word, struct options *options)
{
    const struct {
        const char *name;
        size_t most;
        struct range *range;
    } known[] = {{"n=", MAX_N, &options->sizes},
                 {"TILE=", 32, &options->tiles},
                 {"ROWS=", 32, &options->rows}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        char why[RANGE_WHY_SIZE];
        if (strncmp(word, known[i].name, length) != 0)
            continue;
        if (known[i].range->count > 0)
            snprintf(why, sizeof why, "it is given twice");
        else if (range_parse(word + length, 1, known[i].most, known[i].range, why))
            return true;
        fprintf(stderr, "apodkit: %s: %s\n", word, why);
        return false;
    }
    fprintf(stderr, "apodkit: a sweep varies n, TILE and ROWS, not '%s'\n", word);
    return false;
}

static bool take_words(struct options *options)
{
    bool any_step = false;
    for (int i = 0; i < options->word_count; i++) {
        const char *word = options->words[i];
        bool is_range = strchr(word, '=') != NULL;
        any_step |= !is_range;
        if (!(is_range ? take_range(word, options) : parse_step(word, options->chosen)))
            return false;
    }
    for (int i = 0; !any_step && i < step_count(); i++)
        options->chosen[i] = true;
    if (options->sizes.count == 0)
        fprintf(stderr, "apodkit: a sweep needs sizes: n=1024:16384:*2, or n=4096 for one\n");
    return options->sizes.count > 0;
}

// Makes this the program of the device that the points are to run on. Where there is no GPU at all, goes
// on as the simulated program. False after a message.
static bool choose_program(const struct options *options)
{
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return false;
    if (device_none())
        program_without_gpu(options->choice, options->argv);
    return true;
}

static void list_steps(const bool places[MAX_STEPS], const char *before, const char *behind)
{
    bool any = false;
    char label[STEP_LABEL_SIZE];
    for (int i = 0; i < step_count(); i++) {
        if (!places[i])
            continue;
        printf("%s %s", any ? "," : before, step_label(step_at(i)->number, label));
        any = true;
    }
    if (any)
        printf("%s\n", behind);
}

static void print_table(const struct options *options, const struct sweep *sweep)
{
    struct style style = style_for(stdout, options->color);
    const char *device = "";
    bool modelled = false;
    for (int i = 0; i < sweep->count; i++) {
        device = *device ? device : sweep->points[i].device;
        modelled |= sweep->points[i].step.values[TIME_MS].provenance == MODELLED;
    }
    printf("%s\n", device);
    print_points(stdout, &style, sweep->points, sweep->count, &options->selection);
    put_text(
        stdout,
        has_lesson()
            ? "\nGB/s: useful bytes, 2 n n 4, over time. of copy: of the device's own copy at that "
              "n.\n"
            : "\nGB/s: useful bytes, over time. of copy: of the device's own copy at that n.\n");
    if (modelled)
        printf("~ is before what the timing model predicts.\n");
    list_steps(sweep->without_geometry, "Without what is swept, and so as in ./run:", ".");
    char limit[80];
    snprintf(limit, sizeof limit, "Serial, and left out beyond n = %d:", SERIAL_MAX_N);
    list_steps(sweep->too_large_for, limit, ".");
}

// Prints and writes what was asked for. False after a message.
static bool hand_out(const struct options *options, const struct sweep *sweep)
{
    if (!is_stdout(options->csv) && !is_stdout(options->json))
        print_table(options, sweep);
    bool good = !options->csv ||
                write_points_csv(options->csv, sweep->points, sweep->count, &options->selection);
    if (options->json && !json_finish(options->json, json_of_points(sweep->points, sweep->count,
                                                                    &options->selection)))
        good = false;
    return good;
}

static bool all_right(const struct sweep *sweep)
{
    int wrong = 0;
    for (int i = 0; i < sweep->count; i++)
        wrong += went_wrong(&sweep->points[i].step);
    if (wrong > 0)
        fprintf(stderr, "apodkit: %d of %d points are wrong or failed\n", wrong, sweep->count);
    return wrong == 0;
}

static int run_sweep(const struct options *options, struct sweep *sweep)
{
    if (!sweep_plan(options, sweep))
        return EXIT_USAGE;
    int status = sweep_build(sweep) ? sweep_measure(options, sweep) : EXIT_WRONG;
    if (status != EXIT_GOOD)
        return status;
    bool handed_out = hand_out(options, sweep);
    return all_right(sweep) && handed_out ? EXIT_GOOD : EXIT_WRONG;
}

static int sweep(const struct options *options)
{
    if (!choose_program(options))
        return EXIT_NO_DEVICE;
    struct sweep *sweep = malloc(sizeof *sweep);
    if (!sweep) {
        fprintf(stderr, "apodkit: the host has no memory for the points\n");
        return EXIT_WRONG;
    }
    int status = run_sweep(options, sweep);
    free(sweep);
    return status;
}

static const struct options sweep_defaults = {
    .timeout_s = 30,
    .selection = {4, {GLD_EFFICIENCY, GST_EFFICIENCY, DRAM_UTILIZATION, ACHIEVED_OCCUPANCY}}};

static const struct option_row rows[] = {
    PLAIN_ROW("metrics", "NAME,..", SELECTION,
              "other metrics and counts, by their names in the JSON (default: "
              "gld_efficiency, gst_efficiency, dram_utilization, achieved_occupancy)"),
    CSV_ROW("as CSV too; - for standard output, without the table"),
    JSON_ROW("as JSON too; likewise"),
    DEVICE_ROWS(ANOTHER_GPU),
    REPS_ROW(1, 100000, "time R launches of each point"),
    TIMEOUT_ROW(1, "30", ""),
    COLOR_AND_HELP_ROWS,
};

const struct verb sweep_verb = {
    .name = "sweep",
    .summary = "steps over a range of sizes, and of TILE and ROWS",
    .takes = "STEP... n=RANGE [TILE=RANGE] [ROWS=RANGE]",
    .about = "Verifies and measures the steps at every n of the range: time, bandwidth, share of"
             " the device's own copy at that n, and metrics. Each point is a run of its own; one"
             " that fails is shown as such, and the others go on.\n"
             "\n"
             "A range is a list with commas between its items, each a number or a progression:\n"
             "  n=1000,2000,4000      these\n"
             "  n=1024:16384:*2       1024, 2048, 4096, 8192, 16384 (x2 where the shell takes a "
             "star for files)\n"
             "  n=1000:5000:+1000     1000, 2000, 3000, 4000, 5000\n"
             "TILE=8,16,32 and ROWS=4,8 build the steps that have them anew for each pair, with "
             "make and in folders of their own; ./run stays what it is. One that is not given is"
             " 32 or 8. Variables of make (CC, CUDA_HOME) are taken from the environment.",
    .notes = "At most 200 points. Exit status 1 when a point is wrong or failed.",
    .words = STEP_AND_RANGE_WORDS,
    .options = rows,
    .defaults = &sweep_defaults,
    .take_words = take_words,
    .main = sweep,
};
