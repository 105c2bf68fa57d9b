// A verb that looks at each step through an instrument, and prints the steps' sources with what it saw.
#ifndef INSTRUMENT_H
#define INSTRUMENT_H

#include "measure/instruments.h"
#include "verbs/inspect.h"

struct instrument_verb {
    const char *verb, *help;
    const char *cannot; // "lines cannot be counted": what to say when it fails
    double timeout_s;   // of a step, unless --timeout says otherwise
    const struct line_instrument *instrument; // NULL: there is none,
    const char *why_not;                      // for this reason
    size_t seen; // where the verb's struct that starts with struct inspected has what it saw

    // All as JSON text. The caller frees it; NULL when memory ran out or JSON is missing (json.h).
    char *(*json)(const struct inspection *inspection);

    struct inspector inspector; // its size, step and page; the rest is set here
};

// The verb's main function: takes its command line, looks at the steps, prints. Returns the exit status.
int instrument_main(const struct instrument_verb *verb, int argc, char **argv);

#endif
