// A verb that looks at each step through an instrument, and prints the steps' sources with what it saw.
#ifndef INSTRUMENT_VERB_H
#define INSTRUMENT_VERB_H

#include "measure/instruments.h"
#include "verbs/inspect.h"

struct instrument_verb {
    const char *cannot; // "lines cannot be counted": what to say when it fails
    const struct line_instrument *instrument; // NULL: there is none,
    const char *why_not;                      // for this reason
    size_t seen; // where the verb's struct that starts with struct inspected has what it saw

    // All as JSON text. The caller frees it; NULL when memory ran out.
    char *(*json)(const struct inspection *inspection);

    struct inspector inspector; // its size, step and page; the rest is set here
};

// The verb's main function: looks at the steps, prints. Returns the exit status.
int instrument_main(const struct instrument_verb *verb, const struct options *options);

// The rows of such a verb (options.h); and its defaults.
#define INSTRUMENT_ROWS N_AS_RUN_ROW, DEVICE_ROWS(ANOTHER_GPU), TIMEOUT_ROW(1, "60", ""), LAST_ROWS
extern const struct options instrument_defaults;

#endif
