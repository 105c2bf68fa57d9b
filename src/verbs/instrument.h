// A verb that looks at each step through an instrument, and prints the steps' sources with what it saw.
#ifndef INSTRUMENT_H
#define INSTRUMENT_H

#include "measure/profiler.h"
#include "verbs/inspect.h"

struct instrument {
    const char *cannot; // "lines cannot be counted": what to say when it fails

    // Opened before the first launch of the process; NULL with the reason, and what to do about it, in `why`
    // (of `why_size` bytes). Used once, on device `ordinal`: the launch goes on the default stream, and is
    // waited for. False with the reason in `why`.
    void *(*open)(char *why, size_t why_size);
    bool (*measure)(void *opened, int ordinal, profiler_launch *launch, void *context,
                    struct inspected *at, char *why, size_t why_size);
    void (*close)(void *opened);

    // All as JSON text. The caller frees it; NULL when memory ran out.
    char *(*json)(const struct inspection *inspection);

    struct inspector inspector; // its size, step and page; the rest is set here
};

// The verb's main function: looks at the steps, prints. Returns the exit status.
int instrument_main(const struct instrument *instrument, const struct options *options);

// The rows of such a verb (options.h); and its defaults.
#define INSTRUMENT_ROWS(of_sim)                                                                    \
    N_AS_RUN_ROW, DEVICE_ROWS(of_sim), TIMEOUT_ROW(1, "60", ""), LAST_ROWS
extern const struct options instrument_defaults;

#endif
