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

// What a kernel computes that is no transpose. `in` and `out` are n * n words each, as of a step.
struct workload {
    // On the CPU, what launch() does on the GPU. What it leaves untouched the kernel must, too.
    void (*compute)(float *out, const float *in, size_t n);
    double (*useful_bytes)(size_t n); // that have to be read and written, by any kernel
    double tolerance; // how far an element may be off, as a share of it; 0: bit for bit
};

// Numbers of what is no step of the lesson: one's own kernel (make own), mystery N at MYSTERIES + N, what was made of
// it at SOLUTIONS + N, and the points of a lab from LABS + 1 on.
enum { OWN_KERNEL = 100, MYSTERIES = 100, SOLUTIONS = 200, LABS = 300 };

enum { MOST_PARAMETERS = 4 };

// What a lab varies, {"loads", "loads in flight a thread", "1 2 4 8 16"}, and what a step may be built with,
// {"TILE", "...", "8 16 32"}: there the name is a macro.
struct parameter {
    const char *name, *meaning;
    const char *values; // blanks between; a setting is the number, or a word's place, from 0
};

// One kernel at each setting of one parameter or more: its points.
struct lab {
    const char *file;     // the source file, labs/bytes.cu: its name is the lab's
    const char *question; // that it answers

    // Metrics and counts by their JSON keys, with commas between them. "": none, and no counters are open then, which
    // can change how long it takes to launch.
    const char *watched;
    int parameter_count;
    const struct parameter *parameters;
    const struct workload *workload;

    // As a step's launch(), at these settings.
    void (*launch)(float *out, const float *in, size_t n, const int *settings);

    // Why the current device has no such point: "its SMs hold 48 warps". NULL where it has.
    const char *(*lacks)(const int *settings);

    // What the simulated device leaves out of what it is about, in sentences; NULL: nothing.
    const char *unmodelled;
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
    const struct parameter *parameters; // that it can be built with, up to one without a name
    const char *(*lacks)(
        const int *settings); // why it cannot be built with these, or NULL; NULL: it always can
    int settings[MOST_PARAMETERS];   // that it was built with; of a lab's point, its own
    const struct workload *workload; // NULL: the transpose
    const struct lab *lab; // that it is a point of; its launch() starts those that have none
};

// Adds a step to the driver's list; `step` must live as long as the program. Before main() runs. An
// exercise takes the place of the step with its number, which becomes its reference.
void step_register(const struct step *step);

// Adds a step as one point of many, which differ in what they were built with: ./run tune looks for the fastest.
void candidate_register(const struct step *step);

// Adds the points of a lab, the only one in the program.
void lab_register(const struct lab *lab);

#ifdef __cplusplus
}
#endif

// A step with parameters says in the place of these which, what is lacking of settings, and what it is built with:
// tile.h and step8_parameters.h do.
#define PARAMETERS 0, 0
#define BUILT_WITH 0

// As ./run tune builds it, with each of its settings.
#ifdef CANDIDATE
#define ADD_STEP candidate_register
#else
#define ADD_STEP step_register
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
    REGISTER_STEP(number, stage, title, change, goals, goal_count, 0)

// A kernel that is no transpose, with what it computes on the CPU, the bytes of use, and the tolerance: see
// struct workload.
#define KERNEL(title, compute, useful_bytes, tolerance)                                            \
    KERNEL_OF(OWN_KERNEL, title, "a kernel of one's own", compute, useful_bytes, tolerance, 0, 0)

// Mystery N. All of them are verified bit for bit.
#define MYSTERY(number, compute, useful_bytes)                                                     \
    KERNEL_OF(MYSTERIES + number, "mystery " #number, "what limits it?", compute, useful_bytes, 0, \
              0, 0)

// What was made of it: the kit's own, and the attendee's, whose goal is 90 % of that one's bandwidth.
#define SOLUTION(number, change, compute, useful_bytes)                                            \
    KERNEL_OF(SOLUTIONS + number, "mystery " #number ", solved", change, compute, useful_bytes, 0, \
              0, 0)
#define MY_SOLUTION(number, compute, useful_bytes)                                                 \
    static const struct goal no_goals[1] = {{0, AT_LEAST, 0}};                                     \
    KERNEL_OF(SOLUTIONS + number, "my mystery " #number, "what I changed", compute, useful_bytes,  \
              0, no_goals, 0)

#define KERNEL_OF(number, title, change, compute, useful_bytes, tolerance, goals, goal_count)      \
    static const struct workload this_workload = {compute, useful_bytes, tolerance};               \
    REGISTER_STEP(number, OPTIMISE, title, change, goals, goal_count, &this_workload)

#define REGISTER_STEP(number, stage, title, change, goals, goal_count, workload)                   \
    static const struct step this_step = {number,     stage,        __FILE__, title,               \
                                          change,     launch,       goals,    goal_count,          \
                                          PARAMETERS, {BUILT_WITH}, workload, 0};                  \
    __attribute__((constructor)) static void register_this_step(void)                              \
    {                                                                                              \
        ADD_STEP(&this_step);                                                                      \
    }

// The one that ends a lab's file: what it asks, what is watched, what is right on the CPU, the bytes of use, what the
// device may lack, and one parameter to four. It needs the file's launch(), with the settings.
#define LAB(question, watched, compute, useful_bytes, lacks, ...)                                  \
    LAB_BEYOND(0, question, watched, compute, useful_bytes, lacks, __VA_ARGS__)

// The same of a lab that is about what the simulated device leaves out.
#define LAB_BEYOND(unmodelled, question, watched, compute, useful_bytes, lacks, ...)               \
    static const struct parameter these_parameters[] = {__VA_ARGS__};                              \
    static const struct workload this_workload = {compute, useful_bytes, 0};                       \
    static const struct lab this_lab = {                                                           \
        __FILE__,         question,                                                                \
        watched,          sizeof these_parameters / sizeof *these_parameters,                      \
        these_parameters, &this_workload,                                                          \
        launch,           lacks,                                                                   \
        unmodelled};                                                                               \
    __attribute__((constructor)) static void register_this_lab(void)                               \
    {                                                                                              \
        lab_register(&this_lab);                                                                   \
    }

#endif
