#define _POSIX_C_SOURCE 200809L // execv
#include "verbs/tune.h"

#include "base/platform.h"
#include "facts/labs.h"
#include "files/tuned.h"
#include "measure/ask_launches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Whether the word names what this program's points are of: a lab, or a step whose candidates they are.
static bool is_here(const char *word)
{
    char name[STEP_NAME_SIZE], number[16];
    if (!lab_here())
        return false;
    step_name(lab_here()->file, name);
    snprintf(number, sizeof number, "%d", lab_step(lab_here()));
    return strcmp(word, lab_step(lab_here()) > 0 ? number : name) == 0;
}

// The step that the word names, if it has parameters. NULL after a message on standard error.
static const struct step *step_named(const char *word)
{
    bool chosen[MAX_STEPS] = {false};
    const struct step *step = NULL;
    if (strspn(word, "0123456789") != strlen(word)) {
        fprintf(stderr,
                "apodkit: '%s' is neither a step nor this program's lab; where there is a "
                "labs/%s.cu, `make lab-%s` builds it (./run lab lists them)\n",
                word, word, word);
        return NULL;
    }
    if (!parse_step(word, chosen))
        return NULL;
    for (int i = 0; i < step_count(); i++)
        step = chosen[i] ? step_at(i) : step;
    if (step->parameters)
        return step;
    fprintf(stderr, "apodkit: step %d has no parameters. Those that have:", step->number);
    for (int i = 0; i < step_count(); i++)
        if (step_at(i)->parameters)
            fprintf(stderr, " %d", step_at(i)->number);
    fprintf(stderr, "\n");
    return NULL;
}

static bool take_sizes(const char *word, struct range *sizes)
{
    char why[RANGE_WHY_SIZE];
    if (sizes->count > 0)
        snprintf(why, sizeof why, "the sizes are given already");
    else if (range_parse(word + strlen("n="), 1, MAX_N, sizes, why))
        return true;
    fprintf(stderr, "apodkit: %s: %s\n", word, why);
    return false;
}

// What to tune, or nothing, and sizes, of which -n N is one.
static bool take_words(struct options *options)
{
    options->sizes = (struct range){.count = options->n > 0, .values = {options->n}};
    for (int i = 0; i < options->word_count; i++) {
        const char *word = options->words[i];
        bool is_sizes = strncmp(word, "n=", strlen("n=")) == 0;
        if (is_sizes && !take_sizes(word, &options->sizes))
            return false;
        if (!is_sizes && options->tuned) {
            fprintf(stderr, "apodkit: one step or lab at a time, please\n");
            return false;
        }
        options->tuned = is_sizes ? options->tuned : word;
    }
    if (options->tuned && !is_here(options->tuned))
        return (options->tuned_step = step_named(options->tuned)) != NULL;
    return true;
}

static bool check(const struct options *options)
{
    if (options->tuned || (!options->json && options->sizes.count == 0))
        return true;
    fprintf(stderr, "apodkit: %s: name a step or a lab\n",
            options->json ? "--json writes what a tuning found" : "sizes are those to tune at");
    return false;
}

// Where there is no GPU, the program for GPUs goes on as the other before it builds anything.
static int find_gpu(const struct options *options)
{
    struct launch_answers *answers = malloc(sizeof *answers);
    const bool none[MAX_STEPS] = {false};
    int status = EXIT_GOOD;
    if (!answers) {
        fprintf(stderr, "apodkit: there are no %zu bytes: %s\n", sizeof *answers, strerror(errno));
        return EXIT_WRONG;
    }
    if (!ask_launches((int)options->device, 1, none, answers)) {
        if (answers->no_gpu)
            program_without_gpu(options->choice, options->argv);
        fprintf(stderr, "apodkit: %s\n", answers->fatal);
        status = EXIT_NO_DEVICE;
    }
    free(answers);
    return status;
}

static int tune_step(const struct options *options)
{
    const struct step *step = options->tuned_step;
    char program[KIT_PATH_SIZE];
    int status = platform.simulated ? EXIT_GOOD : find_gpu(options);
    if (status != EXIT_GOOD)
        return status;
    if (!tune_build(step))
        return EXIT_WRONG;
    if (tune_program(step->number, platform.simulated, program))
        execv(program, options->argv);
    fprintf(stderr, "apodkit: %s cannot be started: %s\n", program, strerror(errno));
    return EXIT_WRONG;
}

static int tune(const struct options *options)
{
    if (!options->tuned)
        return tuned_print(stdout) ? EXIT_GOOD : EXIT_USAGE;
    if (!program_choose(options->choice, options->sim_device, options->argv))
        return EXIT_NO_DEVICE;
    return options->tuned_step ? tune_step(options) : tune_candidates(options);
}

static const struct options tune_defaults = {.timeout_s = 60};

static const struct option_row rows[] = {
    N_ROW("matrices of N x N floats (default: as ./run; on the simulated device 4096)"),
    FIELD_ROW("all", NULL, SET, tune_all, "time those too that the model predicts to be slow"),
    JSON_ROW("as JSON too; - for standard output, without the table"),
    DEVICE_ROWS(ANOTHER_GPU),
    TIMEOUT_ROW(1, "60", ""),
    COLOR_AND_HELP_ROWS,
};

const struct verb tune_verb = {
    .name = "tune",
    .summary = "a step or a lab at each of its settings, launched in turns until one is ahead",
    .takes = "[STEP|LAB] [n=RANGE]",
    .about =
        "Builds a step with each of its parameters' values (steps/tile.h, "
        "steps/step8_parameters.h), "
        "verifies them, leaves out those that the device cannot hold or that the timing model "
        "predicts to be far slower than the best, and launches the rest in turns: who is "
        "beaten beyond the noise drops out, "
        "until one is left or the launches do not tell those that are. The fastest is kept "
        "in tuned/DEVICE, and `make TUNED=1` builds with it. At several sizes (a range as sweep's) "
        "it is the one that is the nearest to the fastest of each: by the geometric mean of the "
        "quotients of their times. Without a step, prints what is kept there: a launch box a "
        "device.\n"
        "\n"
        "  ./run tune 8                      how step 8 orders and reads its tiles\n"
        "  ./run tune 8 n=8192:24576:+8192   the same, at three sizes\n"
        "  ./run tune 5 -n 10007             TILE and ROWS, at that size\n"
        "  make lab-work && ./run tune work  the points of a lab",
    .notes = "On the simulated device the times are the model's, and nothing is launched in turns. "
             "Exit status 1 when a candidate is wrong or failed.",
    .words = LAB_WORDS,
    .options = rows,
    .defaults = &tune_defaults,
    .take_words = take_words,
    .check = check,
    .main = tune,
};
