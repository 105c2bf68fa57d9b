#include "accesses.h"

#include "facts/steps.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

// What is looked for, and what was found.
struct search {
    enum sim_access kind;
    int found;
    struct sim_seen seen;
};

static void look(const struct sim_seen *seen, void *context)
{
    struct search *search = context;
    if (search->found || seen->kind != search->kind || seen->block || seen->warp ||
        seen->mask != UINT32_MAX)
        return;
    search->seen = *seen;
    search->found = 1;
}

// Launches the step between two matrices. Returns the first error.
static cudaError_t launch(const struct step *step, float *matrices[2], size_t n)
{
    size_t bytes = n * n * sizeof(float);
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 2 && error == cudaSuccess; i++)
        error = cudaMalloc((void **)&matrices[i], bytes);
    if (error == cudaSuccess)
        error = cudaMemset(matrices[1], 0, bytes);
    if (error != cudaSuccess)
        return error;
    step->launch(matrices[0], matrices[1], n);
    return cudaDeviceSynchronize();
}

int watch_step(int number, size_t n, sim_watcher *watcher, void *context, uint64_t starts[2])
{
    const struct step *step = step_find(number);
    float *matrices[2] = {NULL, NULL}; // output, input
    if (!step) {
        fprintf(stderr, "draw: there is no step %d in this program\n", number);
        return 0;
    }
    sim_set_threads(1);
    sim_set_checks(0); // accesses are looked at, not judged or timed
    sim_set_model(0);
    sim_watch(watcher, context);
    cudaError_t error = launch(step, matrices, n);
    sim_watch(NULL, NULL);
    for (int i = 0; i < 2; i++) {
        starts[i] = (uintptr_t)matrices[i];
        cudaFree(matrices[i]);
    }
    if (error != cudaSuccess)
        fprintf(stderr, "draw: step %d: %s\n", number, cudaGetErrorString(error));
    return error == cudaSuccess;
}

int access_of_step(int number, enum sim_access kind, size_t n, struct warp_access *access)
{
    struct search search = {.kind = kind};
    uint64_t starts[2];
    if (!watch_step(number, n, look, &search, starts))
        return 0;
    if (!search.found) {
        fprintf(stderr, "draw: step %d makes no such access\n", number);
        return 0;
    }
    uint64_t start = kind == SIM_GLOBAL_STORE ? starts[0] : kind == SIM_GLOBAL_LOAD ? starts[1] : 0;
    for (int l = 0; l < WARP_LANES; l++)
        access->element[l] = (search.seen.address[l] - start) / sizeof(float);
    access->passes = search.seen.sectors + search.seen.wavefronts;
    return 1;
}
