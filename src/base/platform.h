// What the program stands on: a GPU and NVIDIA's runtime, or the simulated device in their place. cupti/ says
// it, or src/sim/cuda/: exactly one of them is linked into a program.
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdbool.h>

struct platform {
    // Then every launch is counted exactly, once is enough, and how long it takes says nothing about a GPU.
    bool simulated;

    // NULL where it is never so: whether the device checks every access (its bounds, that its memory was
    // written, races); and whether cudaFuncGetAttributes() can only estimate the registers of this kernel
    // (the host's handle of its __global__ function).
    int (*checks_accesses)(void);
    int (*estimates_registers)(const void *kernel);

    // What the device itself found wrong with the last launch that failed, in lines that may start with
    // "=========" as compute-sanitizer's do; "" when it has nothing to say beyond CUDA's error. NULL where it
    // never has.
    const char *(*report)(void);

    // From now on the device leaves it to who asks for a report to print it. NULL where it prints none.
    void (*leave_reports)(void);
};

extern const struct platform platform;

#endif
