#include "facts/launches.h"

#include "base/platform.h"
#include "facts/steps.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct launch_record largest;
static struct launch_record *shapes;
static size_t shape_count, shape_capacity;
static bool nothing_runs;

void launches_forget(void)
{
    largest = (struct launch_record){0};
    shape_count = 0;
}

struct launch_record launches_largest(void)
{
    return largest;
}

const struct launch_record *launches_shapes(size_t *count)
{
    *count = shape_count;
    return shapes;
}

static double threads_of(const struct launch_record *launch)
{
    double threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= (double)launch->grid[i] * launch->block[i];
    return threads;
}

static bool same_shape(const struct launch_record *a, const struct launch_record *b)
{
    return a->kernel == b->kernel && a->dynamic_shared == b->dynamic_shared &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

// False when no memory is left.
static bool note(const struct launch_record *launch)
{
    unsigned count = largest.count + 1;
    bool is_lost = largest.is_lost;
    if (count == 1 || threads_of(launch) > threads_of(&largest))
        largest = *launch;
    largest.count = count;
    largest.is_lost = is_lost;
    for (size_t i = 0; i < shape_count; i++)
        if (same_shape(&shapes[i], launch))
            return true;
    if (shape_count == shape_capacity) {
        size_t capacity = 2 * shape_capacity + 4;
        struct launch_record *grown = realloc(shapes, capacity * sizeof *grown);
        if (!grown) {
            largest.is_lost = true;
            return false;
        }
        shapes = grown;
        shape_capacity = capacity;
    }
    shapes[shape_count++] = *launch;
    return true;
}

bool launch_ok(cudaError_t error, const struct launch_record *launch, int number, const char *file,
               size_t n, char *complaint, size_t size)
{
    char label[STEP_LABEL_SIZE];
    if (launch->is_lost) // no step looks at what a launch returns
        return host_memory_failed(complaint, "the notes of a step's launches", sizeof *shapes);
    if (!kernel_ok(error, complaint, size, "the launch of %s at n = %zu", step_label(number, label),
                   n)) {
        size_t used = strlen(complaint);
        if (error == cudaErrorNoKernelImageForDevice || error == cudaErrorInvalidPtx)
            snprintf(complaint + used, size - used, "\nIt was compiled from %s.", file);
        if (error == cudaErrorInvalidConfiguration || error == cudaErrorInvalidValue)
            snprintf(complaint + used, size - used,
                     "\nAsked for was a grid of [%u,%u,%u] blocks of [%u,%u,%u] threads, %.0f in "
                     "each, with %zu bytes of shared memory beside what the kernel declares.",
                     launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
                     launch->block[1], launch->block[2],
                     (double)launch->block[0] * launch->block[1] * launch->block[2],
                     launch->dynamic_shared);
        return false;
    }
    if (!launch->kernel)
        snprintf(complaint, size, "launch() in %s launched no kernel", file);
    return launch->kernel;
}

size_t launch_tile(const struct launch_record *launch)
{
    struct launch_needs needs;
    char failure[FAILURE_SIZE];
    size_t columns = launch->block[0], side = columns;
    if (launch->block[1] < 2)
        return 0;
    if (launch_needs(launch, &needs, failure)) // else the block's own columns have to do
        while ((side + columns) * (side + columns) * sizeof(float) <= needs.shared_bytes)
            side += columns;
    return side;
}

void launches_only_record(bool only_record)
{
    nothing_runs = only_record;
}

bool launch_needs(const struct launch_record *launch, struct launch_needs *needs,
                  char failure[FAILURE_SIZE])
{
    struct cudaFuncAttributes attributes;
    if (!cuda_ok(cudaFuncGetAttributes(&attributes, launch->kernel), failure,
                 "cudaFuncGetAttributes of the launched kernel"))
        return false;
    *needs = (struct launch_needs){
        .threads = launch->block[0] * launch->block[1] * launch->block[2],
        .registers = attributes.numRegs,
        .registers_estimated =
            platform.estimates_registers && platform.estimates_registers(launch->kernel),
        .shared_bytes = attributes.sharedSizeBytes + launch->dynamic_shared,
    };
    return true;
}

// ld --wrap=cudaLaunchKernel makes the first of these names the callee of every launch, and gives
// the runtime's own function the second.
cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t dynamic_shared, cudaStream_t stream);
cudaError_t __real_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t dynamic_shared, cudaStream_t stream);

cudaError_t __wrap_cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                    size_t dynamic_shared, cudaStream_t stream)
{
    const struct launch_record launch = {.kernel = kernel,
                                         .grid = {grid.x, grid.y, grid.z},
                                         .block = {block.x, block.y, block.z},
                                         .dynamic_shared = dynamic_shared};
    if (!note(&launch))
        return cudaErrorMemoryAllocation;
    if (nothing_runs)
        return cudaSuccess;
    return __real_cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared, stream);
}
