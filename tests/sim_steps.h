// Steps, or transposes that are none, in a test's program on the simulated device, and a run of one that checks its
// result. For one file of the program: it has step_register(), with which each step makes itself known.
#ifndef SIM_STEPS_H
#define SIM_STEPS_H

#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "sim/sim.h"
#include "steps/step.h"
#include "suites.h"

enum { MAX_STEPS = 200 };

static const struct step *steps[MAX_STEPS]; // as they are linked
static int step_count;

void step_register(const struct step *step)
{
    if (step_count < MAX_STEPS)
        steps[step_count++] = step;
}

// Runs a step on an n x n matrix and checks its result. Returns what was counted.
static struct sim_counts run_step(const struct step *step, size_t n)
{
    size_t size = n * n * sizeof(float);
    float *in = malloc(size), *result = malloc(size), *device_in, *device_out;
    ck_assert(in && result);
    for (size_t i = 0; i < n * n; i++)
        in[i] = (float)i;
    SUCCEEDS(cudaMalloc((void **)&device_in, size));
    SUCCEEDS(cudaMalloc((void **)&device_out, size));
    SUCCEEDS(cudaMemcpy(device_in, in, size, cudaMemcpyHostToDevice));
    sim_counts_reset();
    step->launch(device_out, device_in, n);
    ck_assert_msg(cudaDeviceSynchronize() == cudaSuccess, "%s at %zu: %s", step->file, n,
                  sim_last_report());
    // Nothing was in the output before: what the step left out would be a read of nothing.
    SUCCEEDS(cudaMemcpy(result, device_out, size, cudaMemcpyDeviceToHost));
    // No assertion an element: Check writes a file at each, to know the last.
    for (size_t row = 0; row < n; row++)
        for (size_t col = 0; col < n; col++)
            if (result[col * n + row] != in[row * n + col])
                ck_abort_msg("%s at %zu: row %zu, column %zu", step->file, n, row, col);
    SUCCEEDS(cudaFree(device_in));
    SUCCEEDS(cudaFree(device_out));
    free(in);
    free(result);
    return sim_counts_total();
}

#endif
