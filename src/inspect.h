// What ./run hotspots and ./run stalls have in common: each looks at one step after the other through an
// instrument, and prints the steps' sources with what it saw. A step runs in a process of its own: it
// may crash or hang, and a GPU's instruments are set up once a process.
#ifndef INSPECT_H
#define INSPECT_H

#include "profiler.h"
#include "run_data.h"
#include "source_file.h"
#include "style.h"

#include <stdio.h>

// What is known of every step that was looked at. What the instrument saw follows it in a struct of the
// verb's own. None of it holds pointers: a worker process fills it.
struct inspected {
    int step; // its number
    size_t n;
    enum outcome outcome;           // VERIFIED: what was seen is there
    char complaint[COMPLAINT_SIZE]; // else why not
};

// What is known of all. The steps follow it in a struct of the verb's own.
struct inspection {
    struct device device;
    size_t n;
    bool no_gpu;              // no CUDA device at all can be used
    char fatal[FAILURE_SIZE]; // why nothing can be seen; "" when it can
    int count;                // of the steps
};

// A verb: its instrument, and how to print what that saw.
struct inspector {
    const char *verb, *help;
    const char *cannot; // "lines cannot be counted": what to say when the instrument fails
    double timeout_s;   // of a step, unless --timeout says otherwise
    size_t size;        // of the verb's struct, which starts with struct inspection

    // The step at a place from 0 on.
    struct inspected *(*step)(struct inspection *inspection, int place);

    // The instrument: opened before the first launch of the process; NULL with the reason, and what to
    // do about it, in `why` (of `why_size` bytes). Used once, on device `ordinal`: the launch goes on the
    // default stream, and is waited for. False with the reason in `why`.
    void *(*open)(char *why, size_t why_size);
    bool (*measure)(void *instrument, int ordinal, profiler_launch *launch, void *context,
                    struct inspected *at, char *why, size_t why_size);
    void (*close)(void *instrument);

    // The page, in at most 120 columns: which device it was, a step beside its source, and what the words
    // mean.
    void (*print_device)(FILE *file, const struct style *style,
                         const struct inspection *inspection);
    void (*print_step)(FILE *file, const struct style *style, const struct inspected *at,
                       const struct source_file *source);
    void (*print_legend)(FILE *file);

    // All as JSON text. The caller frees it; NULL when memory ran out or JSON is missing (json.h).
    char *(*json)(const struct inspection *inspection);
};

// The verb's main function: takes its command line, looks at the steps, prints. Returns the exit status.
int inspect(const struct inspector *inspector, int argc, char **argv);

// Prints the heading of a step at n, its file, and a remark where that changed since the program was built.
void print_inspected(FILE *file, const struct style *style, int step, size_t n,
                     const struct source_file *source);

#endif
