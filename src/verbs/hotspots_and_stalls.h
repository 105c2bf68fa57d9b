// A verb that looks at each step through an instrument, and prints the steps' sources with what it saw.
#ifndef HOTSPOTS_AND_STALLS_H
#define HOTSPOTS_AND_STALLS_H

#include "measure/instruments.h"
#include "verbs/inspect.h"

struct line_verb {
    const char *cannot; // "lines cannot be counted": what to say when it fails
    const struct line_instrument *instrument; // NULL: there is none,
    const char *why_not;                      // for this reason
    size_t seen; // where the verb's struct that starts with struct inspected has what it saw

    // All as JSON text. The caller frees it; NULL when memory ran out.
    char *(*json)(const struct inspection *inspection);

    struct inspector inspector; // its size, step and page; the rest is set here
};

// The verb's main function: looks at the steps, prints. Returns the exit status.
int line_verb_main(const struct line_verb *verb, const struct options *options);

// The rows of such a verb, and its defaults.
extern const struct option_row line_verb_rows[];
extern const struct options line_verb_defaults;

#endif
