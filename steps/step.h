// What a step file tells the driver: the contract between steps/ and src/, in C and in CUDA C.
#ifndef STEP_H
#define STEP_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// The four stages of APOD: Assess, Parallelise, Optimise, Deploy.
enum stage { ASSESS, PARALLELISE, OPTIMISE, DEPLOY };

// Starts the step's kernel on the default stream: out[c * n + r] = in[r * n + c] for all r, c < n.
// `out` and `in` are device addresses of n * n floats, row-major, that do not overlap; n >= 1.
// Returns at once: launching is asynchronous, and errors stay with the CUDA runtime.
typedef void step_launch(float *out, const float *in, size_t n);

// What an exercise asks of a metric, by its JSON key: {"gst_efficiency", AT_LEAST, 100}.
enum bound { AT_LEAST, AT_MOST };

struct goal {
    const char *metric;
    enum bound bound;
    double value;
};

struct step {
    int number; // 1, 2, ...: the order of the lesson
    enum stage stage;
    const char *file;   // the source file: steps/step2_per_column.cu
    const char *title;  // what the step is, in a few words
    const char *change; // what is new since the step before
    step_launch *launch;
    const struct goal *goals; // of an exercise, which has one at least; NULL of a step
    int goal_count;
    int geometry[2]; // TILE and ROWS as it was built with; 0 for what it does not have
};

// Adds a step to the driver's list; `step` must live as long as the program. Before main() runs. An
// exercise takes the place of the step with its number, which becomes its reference.
void step_register(const struct step *step);

#ifdef __cplusplus
}
#endif

// A step that TILE or ROWS changes includes tile.h, whose macro takes the place of this.
#ifndef GEOMETRY // tile.h came first
enum { GEOMETRY = 0 };
#endif

// The one line of metadata that ends a step file. It needs the file's own launch().
// A step is in the program when its object file is linked: there is no list to keep.
#define STEP(number, stage, title, change) STEP_WITH_GOALS(number, stage, title, change, 0, 0)

// The same of an exercise, with its goals.
#define EXERCISE(number, stage, title, change, ...)                                                \
    static const struct goal these_goals[] = {__VA_ARGS__};                                        \
    STEP_WITH_GOALS(number, stage, title, change, these_goals,                                     \
                    sizeof these_goals / sizeof *these_goals)

#define STEP_WITH_GOALS(number, stage, title, change, goals, goal_count)                           \
    static const struct step this_step = {number, stage, __FILE__,   title,     change,            \
                                          launch, goals, goal_count, {GEOMETRY}};                  \
    __attribute__((constructor)) static void register_this_step(void)                              \
    {                                                                                              \
        step_register(&this_step);                                                                 \
    }

#endif
