// Who counts, samples and traces: one struct, which cupti/ (a GPU's instruments, through CUPTI) or src/sim/cuda/
// (the simulated device's) fills. Exactly one of them is linked into a program.
#ifndef INSTRUMENTS_H
#define INSTRUMENTS_H

#include "base/source_lines.h"
#include "facts/activities.h"
#include "facts/run.h"
#include "facts/stall_samples.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Below, `why` (of `why_size` bytes) gets the reason when something cannot be had, and on further lines what to do
// about it.

// Launches the work to be looked at, once, on the default stream. Called once or several times: the hardware has
// fewer counters than there are counts, so the same launch is repeated.
typedef void watched_launch(void *context);

struct profiler;

struct counters {
    // Opens the counters of the device that is current in the CUDA runtime. The `extra_count` names in `extras`
    // (CUPTI's) are counted too. NULL with the reason. The caller closes what it gets.
    struct profiler *(*open)(const char *const *extras, int extra_count, char *why,
                             size_t why_size);

    // Counts one launch into the step's values: those that the table of metrics has as counted, and the extras,
    // in the order they were named; on the simulated device the limits too. What cannot be had is unavailable
    // with its own reason; the other values are left alone (metrics_derive() fills them).
    void (*measure)(struct profiler *profiler, watched_launch *launch, void *context,
                    struct step_result *result);
    void (*close)(struct profiler *profiler);
};

// What looks at a kernel line by line.
struct line_instrument {
    // Gets ready, once a process, and before the first launch in it: a GPU's kernels are seen when they are
    // loaded. No device is needed yet. NULL with the reason. The caller closes what it gets.
    void *(*open)(char *why, size_t why_size);

    // Looks at one launch or, to sample it, as many as it takes, on device `ordinal`, which is the current one,
    // and waits for them. `seen` starts empty. May be called once. False with the reason when nothing could be
    // seen; launches may have been made all the same. Whether they succeeded is for the caller to see.
    bool (*measure)(void *opened, int ordinal, watched_launch *launch, void *context, void *seen,
                    char *why, size_t why_size);
    void (*close)(void *opened);
};

// Notes what the device does. It takes time, so what is traced is not the place to time kernels with events.
struct tracer {
    // Starts, once a process and before its first CUDA call. `into` starts empty and must last until stop().
    // False with the reason.
    bool (*start)(struct activities *into, char *why, size_t why_size);

    // The range, by its place, that asks for what is launched from now on; -1 for none.
    void (*enter)(int range);

    // Nanoseconds since the start, on the clock of the activities: of the host, or of the simulated device.
    double (*now)(void);

    // Waits for the device, stops, and leaves the activities sorted. An error of the device stays with the
    // runtime. False with the reason when what was noted is not to be trusted.
    bool (*stop)(char *why, size_t why_size);
};

struct chip;

// Which GPU chips the counters are known for, and which metrics each has. No GPU is needed to ask.
struct chips {
    // The chips' names, "GH100" and so on, and how many. The array stays with the library.
    const char *const *(*names)(size_t *count);

    // The name of the chip of CUDA device `ordinal`, or NULL when there is no such device.
    const char *(*of_device)(int ordinal);

    // Opens the description of a chip; NULL with the reason when it is not known. The caller closes it.
    struct chip *(*open)(const char *name, char *why, size_t why_size);

    // Whether the chip can count a CUPTI expression (metric_names.h). If so, `names` gets the names that are used,
    // with " + " between them; if not, the reason. At most `size` bytes.
    bool (*counts)(struct chip *chip, const char *expression, char *names, size_t size);
    void (*close)(struct chip *chip);
};

// NULL is what cannot be had, for the reason that stands in why_not, with what to do about it on further lines.
struct instruments {
    const struct counters *counters;
    const struct line_instrument *lines;  // accesses, into struct source_lines
    const struct line_instrument *stalls; // what warps wait for, into struct stall_samples
    const struct tracer *tracer;
    const struct chips *chips;

    // On the simulated device: whether launches from now on find in the L2 what those before them left, as those of a step
    // that follow each other over and over; else each finds what it left itself. False when no memory is left for that. NULL on
    // a GPU, which needs none.
    bool (*launches_follow)(bool follow);

    // How many of a launch's blocks the SM of that number runs.
    uint64_t (*blocks_on_sm)(uint64_t blocks, unsigned sm);

    struct {
        const char *counters, *lines, *stalls, *tracer, *chips, *blocks_on_sm;
    } why_not;
};

extern const struct instruments instruments;

#endif
