// The command line of a verb that works on steps: ./run VERB [STEP...] [OPTION...].
#ifndef VERB_OPTIONS_H
#define VERB_OPTIONS_H

#include "verbs/options.h"

#include <getopt.h>

// What such verbs have in common.
struct verb_options {
    bool chosen[MAX_STEPS]; // by the step's place in the lesson; all of them when none was named
    bool names_steps;       // some were named
    size_t n;               // 0: the device's default
    enum device_choice choice;
    const char *sim_device; // the simulated device's name, or NULL for the default
    const char *json;       // a file's name, "-" for standard output, or NULL
    int device;
    double timeout_s;
    enum color_when color;
};

// What options a verb takes. In `options` (for getopt_long(), ended by zeros) the common ones have these
// values: 'n' -n, 'g' --gpu, 'm' --sim, 'd' --device, 't' --timeout, 'j' --json, 'w' --color, 'h' --help.
struct verb_syntax {
    const char *verb, *help;
    const char *letters; // the short options: "n:h"
    const struct option *options;
    bool (*take)(int option, void *context); // an option of the verb's own, with optarg; or NULL
    bool (*check)(void *context);            // whether all of it makes sense together; or NULL
    void *context;
};

// Reads the arguments; `options` holds the defaults. `take` and `check` return false after a message on
// standard error.
enum parsed verb_options_parse(const struct verb_syntax *syntax, int argc, char **argv,
                               struct verb_options *options);

// Whether any step is built; if not, says so on standard error.
bool any_step_is_built(void);

#endif
