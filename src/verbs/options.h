// The command line of a run: ./run [STEP...] [options].
#ifndef OPTIONS_H
#define OPTIONS_H

#include "base/programs.h"
#include "base/style.h"
#include "facts/run.h"

#include <stdbool.h>
#include <stddef.h>

// Exit statuses, documented in --help.
enum { EXIT_GOOD = 0, EXIT_WRONG = 1, EXIT_USAGE = 2, EXIT_NO_DEVICE = 3 };

struct options {
    bool chosen[MAX_STEPS]; // by the step's place in the lesson; all of them when none was named
    size_t n;               // 0: the device's default
    int reps;               // 0: as many as fit
    bool profile;
    bool references;      // run the kit's own step beside each exercise
    const char *json;     // a file's name, "-" for standard output, or NULL
    const char *baseline; // a recorded run to compare with (run_files.h), or NULL
    const char *save;     // the name to keep the run under, or NULL
    char extra_names[MAX_EXTRAS][METRIC_NAME_SIZE];
    const char *extra_expressions[MAX_EXTRAS]; // CUPTI's, for the names
    int extra_count;
    int device;
    double timeout_s; // 0: no limit, and no process of its own for the steps
    enum color_when color;
    bool summary_only;
    enum device_choice choice;
    const char *sim_device; // the simulated device's name, or NULL for the default
};

// What the program should do next.
enum parsed {
    PARSED_RUN,   // run
    PARSED_DONE,  // --help or --version has been answered
    PARSED_WRONG, // a message is on standard error: exit with EXIT_USAGE
};

// Reads the arguments. Strings in `options` point into argv or into `options` itself, which so must
// not be moved.
enum parsed options_parse(int argc, char **argv, struct options *options);

// Arguments of options that several verbs have. Each returns false after a message on standard
// error that says what the option takes.
bool number_option(const char *name, const char *text, long least, long most, long *number);
bool parse_step(const char *text, bool chosen[MAX_STEPS]);
bool parse_device(const char *text, int *device);
bool parse_color(const char *text, enum color_when *color);

#endif
