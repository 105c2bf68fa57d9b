// What ./run can be asked to do: a verb is a row of texts, options and functions, in a source file of verbs/.
// From it its command line is read (options.h), its --help is printed (help.h) and the shell completes
// (complete.h).
#ifndef VERB_H
#define VERB_H

#include <stdbool.h>
#include <stddef.h>

struct options; // options.h

// What the program should do next.
enum parsed {
    PARSED_RUN,   // run
    PARSED_DONE,  // --help, --version or --manual has been answered
    PARSED_WRONG, // a message is on standard error: exit with EXIT_USAGE
};

// How an option's value is read, and what the shell offers for it.
enum option_kind {
    OPTION_NUMBER,       // a long, or a size_t
    OPTION_TEXT,         // a const char *
    OPTION_RECORDED_RUN, // likewise
    OPTION_INPUT,        // likewise; "-" without a value
    OPTION_SET,          // a bool that becomes true
    OPTION_CLEAR,        // false
    OPTION_METRICS,      // that a run takes
    OPTION_SELECTION,    // that a sweep takes
    OPTION_GPU,
    OPTION_SIM,
    OPTION_COLOR,
    OPTION_ARCH,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_MANUAL
};

struct option_row {
    const char *name;  // long, or one letter
    const char *value; // for --help: "FILE"; "[=NAME]", which may be left out; or NULL
    const char *help;  // NULL: the next row's is for both
    enum option_kind kind;
    size_t offset;    // in struct options, of what is read
    long least, most; // of a number
};

// What stands on the command line beside options. For all steps there is a word, ALL_STEPS.
#define ALL_STEPS "all"
enum words { NO_WORDS, STEP_WORDS, RUN_WORDS, STEP_AND_RANGE_WORDS, FILE_WORDS, LAB_WORDS };

struct verb {
    const char *name;                 // NULL: ./run without a verb
    const char *summary;              // in ./run --help
    const char *takes;                // "A B": what may or must stand behind the name; or NULL
    const char *about, *notes;        // paragraphs before the options, and behind them; or NULL
    enum words words;                 // for the shell, and how they are read
    const struct option_row *options; // up to one without a name
    const struct options *defaults;   // NULL: zeros
    bool (*take_words)(struct options *options);  // reads those that are a verb's own; or NULL
    bool (*check)(const struct options *options); // whether all makes sense together; or NULL
    int (*main)(const struct options *options);   // returns the exit status
};

extern const struct verb run_verb; // run.c: no verb, the steps themselves

// The others, in alphabetical order, up to NULL.
extern const struct verb *const verbs[];

// The verb of that name, or NULL.
const struct verb *verb_find(const char *name);

// The verb that somebody may have meant who typed this, or NULL (suggest.h).
const char *verb_suggest(const char *typed);

#endif
