// What ./run hotspots, stalls and trace have in common: each looks at one step after the other, in processes
// of the step's own, because it may crash or hang and because a GPU's instruments are set up once a process;
// and prints what it saw.
#ifndef INSPECT_H
#define INSPECT_H

#include "command_line/options.h"
#include "facts/inspection.h"
#include "measure/trial.h"
#include "show/inspection_page.h"

// The work on one step, in a process of its own.
struct inspection_task {
    struct trial trial; // with the problem below, once that is opened; it is closed after the work
    struct problem problem;
    const struct options *options;
    const struct inspector *inspector;
    struct inspection
        *inspection;      // the worker's copy: what it finds out is taken over when it is sound
    struct inspected *at; // likewise, the step
    void *shared;         // memory to hand them over in
    void *context;        // the inspector's
    void (*work)(struct inspection_task *task);
};

struct inspector {
    const char *of;   // "the trace": what the memory is for
    size_t size;      // of the verb's struct, which starts with struct inspection
    size_t steps;     // where its steps are in it
    size_t step_size; // of each, which starts with struct inspected
    bool (*is_sound)(const struct inspected
                         *at); // of a step's, as another process left it (facts/shared_results.h)
    bool is_printed;           // else standard output is for programs
    void *context;             // for the tasks and hand_out()

    // Looks at a step, as the work of an task. Sets its outcome, or inspection->fatal says why there is none.
    void (*look)(struct inspection_task *task);

    // What else is to be found out of a step that was right, not in the task's process; NULL: nothing.
    void (*look_on)(struct inspection_task *task);

    const struct inspection_page *page;

    // Writes what was asked for beside the page. False after a message on standard error.
    bool (*hand_out)(void *context, const struct inspection *inspection);
};

// Looks at the steps that were chosen and prints each as it comes. Returns the exit status.
int inspect(const struct inspector *inspector, const struct options *options);

// Has `work` done in a process of its own. When that ends without a word, `complaint` (of COMPLAINT_SIZE bytes) says
// how; else it is left alone.
void inspection_run(struct inspection_task *task, void (*work)(struct inspection_task *task),
                    char *complaint);

// In that process: opens the device that was asked for, and sets the step's n. False when it cannot be used:
// inspection->fatal says why.
bool inspection_open_device(struct inspection_task *task);

#endif
