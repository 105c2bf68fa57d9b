// The command line: ./run [STEP...] [OPTION...] or ./run VERB ..., read by the verb's table (verb.h).
#ifndef OPTIONS_H
#define OPTIONS_H

#include "base/programs.h"
#include "base/range.h"
#include "base/style.h"
#include "command_line/program_choice.h"
#include "command_line/verb.h"
#include "facts/points.h"

#include <stdbool.h>
#include <stddef.h>

// What was asked for. A verb's own defaults are beside its table.
struct options {
    const struct verb *verb;
    char **argv;            // the program's
    bool chosen[MAX_STEPS]; // by the step's place in the lesson; all of them when none was named
    bool names_steps;       // some were named
    char *const *words;     // what is no option
    int word_count;
    size_t n;  // 0: the device's default
    long reps; // 0: as many as fit
    long device;
    long timeout_s; // 0: no limit, and no process of its own for the steps
    enum device_choice choice;
    const char *sim_device; // the simulated device's name, or NULL for the default
    enum color_when color;
    const char *json, *csv, *chrome; // files, "-" for standard output, or NULL

    // A run's own.
    bool profile;
    bool references; // run the kit's own step beside each exercise
    bool summary_only;
    const char *baseline; // a recorded run to compare with (run_files.h), or NULL
    const char *save;     // the name to keep the run under, or NULL
    const char *predict;  // a file of answers, "-" for standard input, or NULL
    char extra_names[MAX_EXTRAS][METRIC_NAME_SIZE];
    const char *extra_expressions[MAX_EXTRAS]; // CUPTI's, for the names
    int extra_count;

    // Other verbs' own.
    bool counters;                         // compare
    bool names;                            // import
    struct range sizes, tiles, rows;       // sweep; sizes: tune too. Empty: not given
    const char *tuned;                     // tune: what is tuned, or NULL;
    const struct step *tuned_step;         // and if it is no point of this program, the step
    bool tune_all;                         // tune: also what is predicted to be slow
    const char *recorded;                  // explain
    const char *chip;                      // metrics
    const char *output;                    // report: the page
    const char *hotspots, *stalls, *trace; // report: what these verbs wrote as JSON, or NULL
    struct selection selection;            // sweep, lab
    const struct lab *lab;                 // lab: whose table is the report; else NULL
    long block, registers, shared;         // occupancy; -1: not given
    const struct compute_capability *arch; // occupancy; NULL: the device's
};

// Reads the arguments, the program's argv. Strings in `options` point into argv or into `options` itself, which
// so must not be moved.
enum parsed options_parse(int argc, char **argv, struct options *options);

// ---- Rows, and those that several verbs have -------------------------------------------------------

// clang-format off
#define NUMBER_ROW(name, value, field, least, most, help) \
    {name, value, help, OPTION_NUMBER, offsetof(struct options, field), least, most}
#define FIELD_ROW(name, value, kind, field, help) \
    {name, value, help, OPTION_##kind, offsetof(struct options, field), 0, 0}
#define PLAIN_ROW(name, value, kind, help) {name, value, help, OPTION_##kind, 0, 0, 0}

#define N_ROW(help) NUMBER_ROW("n", "N", n, 1, MAX_N, help)
#define N_AS_RUN_ROW N_ROW("matrices of N x N floats (default: as ./run; the serial step stays at 1024)")
#define REPS_ROW(least, most, help) NUMBER_ROW("reps", "R", reps, least, most, help)
#define TIMEOUT_ROW(least, default_s, more) NUMBER_ROW("timeout", "S", timeout_s, least, 86400, \
    "a step that does not answer for S seconds hangs (default " default_s ")" more)
#define GPU_AND_SIM_ROWS(help) PLAIN_ROW("gpu", NULL, GPU, NULL), PLAIN_ROW("sim", "[=NAME]", SIM, help)
#define ANOTHER_GPU "a GPU or nothing; the simulated device, as another GPU (--sim=list)"
#define DEVICE_ROW(help) NUMBER_ROW("device", "K", device, 0, 1023, help)
#define DEVICE_ROWS(of_sim) GPU_AND_SIM_ROWS(of_sim), DEVICE_ROW("CUDA device K (default 0)")
#define CSV_ROW(help) FIELD_ROW("csv", "FILE", TEXT, csv, help)
#define JSON_ROW(help) FIELD_ROW("json", "FILE", TEXT, json, help)
#define HELP_ROWS \
    PLAIN_ROW("h", NULL, HELP, NULL), PLAIN_ROW("help", NULL, HELP, "this text"), PLAIN_ROW(NULL, NULL, HELP, NULL)
#define COLOR_AND_HELP_ROWS \
    PLAIN_ROW("color", "WHEN", COLOR, "auto (default), always or never; NO_COLOR is respected"), HELP_ROWS
#define LAST_ROWS JSON_ROW("as JSON; - for standard output"), COLOR_AND_HELP_ROWS
// clang-format on

// ---- What is asked of them elsewhere -----------------------------------------------------------------

// Each returns false after a message on standard error that says what is wanted.
bool number_option(const char *name, const char *text, long least, long most, long *number);
bool parse_step(const char *text, bool chosen[MAX_STEPS]);

// A verb's check: whether any step is built. The message is on standard error.
bool any_step_is_built(const struct options *options);

// Whether the file is given and is standard output, by whatever name: then nothing else goes there.
bool is_stdout(const char *file);

#endif
