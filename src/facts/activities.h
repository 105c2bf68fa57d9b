// What a device did, one after the other: kernels, copies and fills; and the program's ranges
// (measure/nvtx_ranges.h), each of which asked for some of it. It holds no pointers: a worker process fills it.
#ifndef ACTIVITIES_H
#define ACTIVITIES_H

#include "base/function_name.h"
#include "facts/value.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    MAX_ACTIVITIES = 4096,
    MAX_RANGES = 32,
    RANGE_NAME_SIZE = 64,
    MAX_KERNELS = 16, // of different names
};

enum activity_kind { ACTIVITY_KERNEL, ACTIVITY_COPY, ACTIVITY_FILL };
enum copy_direction { COPY_TO_DEVICE, COPY_TO_HOST, COPY_IN_DEVICE, COPY_ELSEWHERE };

struct activity {
    enum activity_kind kind;
    enum provenance timed; // MEASURED, MODELLED or UNAVAILABLE: where the two times come from
    double start_ns;       // from the start of the trace
    double duration_ns;
    unsigned stream; // its number; 0 or what CUPTI says for the default one
    int range;       // the innermost that asked for it, by its place; -1: none

    // A kernel's:
    int name; // its place among the names
    unsigned grid[3], block[3];
    int registers; // a thread
    bool registers_estimated;
    size_t static_shared, dynamic_shared; // bytes a block

    // A copy's or a fill's:
    enum copy_direction direction;
    size_t bytes;
};

struct activity_range {
    char name[RANGE_NAME_SIZE];
    int parent;              // the range around it, by its place; -1: none
    double start_ns, end_ns; // on the activities' clock
};

struct activities {
    int count;
    struct activity list[MAX_ACTIVITIES];
    size_t lost;            // activities that are not in the list: there was no place for them
    char untimed[WHY_SIZE]; // why the first of those without times has none
    int range_count;
    struct activity_range ranges[MAX_RANGES];
    int name_count;
    char names[MAX_KERNELS][FUNCTION_NAME_SIZE]; // as the compiler wrote them
};

// Adds one, with the name that the compiler gave a kernel, else NULL; counts it as lost where there is no
// place for it or its name. Returns its place, or -1.
int activities_add(struct activities *activities, const struct activity *activity,
                   const char *kernel);

// Orders them by their starts; those that start together, or have no times, as they were added.
void activities_sort(struct activities *activities);

// nvprof's word for a copy or a fill, "[CUDA memcpy HtoD]"; a kernel's name in C++.
void activity_name(const struct activities *activities, const struct activity *activity,
                   char name[FUNCTION_NAME_SIZE]);

// The range that asked for it: "timing"; "" when it is not known.
const char *activity_phase(const struct activities *activities, const struct activity *activity);

// "HtoD", "DtoH", "DtoD", "other".
const char *copy_direction_name(enum copy_direction direction);

// 1e9 bytes a second of a copy or a fill; 0 when it has no time.
double activity_gbs(const struct activity *activity);

#endif
