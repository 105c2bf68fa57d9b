// Kernel launches, and what can be asked about a kernel.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cuda/registration.h"
#include "sim/cuda/runtime.h"
#include "sim/ptx/align_up.h"
#include "sim/time/predict.h"

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};

enum { MAX_NESTED = 16 };
static _Thread_local struct configuration configurations[MAX_NESTED];
static _Thread_local int nested;

unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     struct CUstream_st *stream)
{
    if (nested == MAX_NESTED)
        return 1; // the caller then does not launch
    configurations[nested++] = (struct configuration){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                       void *stream)
{
    if (nested == 0)
        return cudaErrorInvalidConfiguration;
    const struct configuration *c = &configurations[--nested];
    *grid = c->grid;
    *block = c->block;
    *shared = c->shared;
    *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}

static int is_possible(const struct kernel *kernel, dim3 grid, dim3 block, size_t shared)
{
    const struct function *f = kernel->function;
    uint64_t threads = (uint64_t)block.x * block.y * block.z;
    unsigned most = f->max_threads ? f->max_threads : MAX_BLOCK_THREADS;
    return grid.x >= 1 && grid.x <= DEVICE_GRID_X && grid.y >= 1 && grid.y <= DEVICE_GRID_YZ &&
           grid.z >= 1 && grid.z <= DEVICE_GRID_YZ && block.x >= 1 && block.y >= 1 &&
           block.z >= 1 && block.x <= MAX_BLOCK_THREADS && block.y <= MAX_BLOCK_THREADS &&
           block.z <= DEVICE_BLOCK_Z && threads <= most && threads <= MAX_BLOCK_THREADS &&
           shared <= kernel->dynamic_shared_limit &&
           f->shared_size + shared <= runtime.sm->shared_per_block &&
           (shared > 0 || f->shared_size <= DEFAULT_SHARED_PER_BLOCK);
}

// Whether an SM has the registers for one block. An estimate is no reason to refuse a launch.
static int has_registers(const struct kernel *kernel, dim3 block)
{
    struct occupancy occupancy =
        occupancy_of(runtime.sm, block.x * block.y * block.z, (unsigned)kernel->registers, 0);
    return kernel->registers_are_estimated || occupancy.bound[LIMIT_REGISTERS] > 0;
}

static cudaError_t error_of(enum fault_kind kind)
{
    switch (kind) {
    case FAULT_OUT_OF_BOUNDS:
    case FAULT_FREED:
        return cudaErrorIllegalAddress;
    case FAULT_MISALIGNED:
        return cudaErrorMisalignedAddress;
    case FAULT_ASSERT:
        return cudaErrorAssert;
    case FAULT_ENDLESS:
    case FAULT_DEADLOCK:
        return cudaErrorLaunchTimeout;
    default:
        return cudaErrorLaunchFailure;
    }
}

static void set_geometry(struct launch *launch, const struct kernel *kernel, dim3 grid, dim3 block,
                         size_t shared)
{
    const struct function *f = kernel->function;
    launch->module = kernel->binary->module;
    launch->kernel = f;
    memcpy(launch->grid, (uint32_t[3]){grid.x, grid.y, grid.z}, sizeof launch->grid);
    memcpy(launch->threads, (uint32_t[3]){block.x, block.y, block.z}, sizeof launch->threads);
    launch->block_count = (uint64_t)grid.x * grid.y * grid.z;
    launch->threads_per_block = block.x * block.y * block.z;
    launch->warps_per_block = (launch->threads_per_block + LANES - 1) / LANES;
    launch->dynamic_shared = shared;
    launch->shared_size = shared ? align_up(f->shared_size, 16) + shared : f->shared_size;
    launch->frame_bytes = align_up(f->frame_total + 64, 64);
    launch->local_bytes = align_up(f->local_total, 16);
}

static unsigned blocks_held(const struct kernel *kernel, unsigned threads, size_t shared)
{
    struct sm_limits sm = carved_sm(kernel, threads, shared);
    return occupancy_of(&sm, threads, (unsigned)kernel->registers, shared).blocks;
}

// Blocks that an SM holds at a time.
static unsigned resident_blocks(const struct launch *launch, const struct kernel *kernel)
{
    unsigned blocks = blocks_held(kernel, launch->threads_per_block, launch->shared_size);
    return blocks ? blocks : 1; // where registers are an estimate, what was launched fits
}

static int run_blocks(struct launch *launch, unsigned resident, unsigned threads)
{
    device_forget_owners();
    if (runtime.model)
        predict_begin(launch, runtime.device, &runtime.l2, resident);
    return launch_run(launch, threads);
}

// Blocks that turned out not to be independent run again, one after the other.
static int run_again(struct launch *launch, unsigned resident)
{
    device_restore();
    trace_free(launch->trace);
    launch->trace = NULL;
    memset(launch->counters, 0, launch->module->instruction_count * sizeof *launch->counters);
    launch->fault.happened = 0;
    launch->failed_block = UINT64_MAX;
    launch->next_block = 0;
    launch->is_dependent = 0;
    return run_blocks(launch, resident, 1);
}

// How often the kernel's machine code was executed, where it is there and it follows.
static void count_machine(struct launch *launch, const struct kernel *kernel)
{
    const struct function *f = launch->kernel;
    struct ptx_count *counts = kernel->machine ? calloc(f->length, sizeof *counts) : NULL;
    for (size_t i = 0; i < f->length && counts; i++) {
        const struct instruction_counters *c = &launch->counters[f->code[i].index];
        counts[i] = (struct ptx_count){c->executed, c->taken, c->divergent};
    }
    if (counts)
        (void)machine_count(kernel->machine, f, counts,
                            (double)launch->block_count * launch->warps_per_block,
                            &launch->machine);
    free(counts);
}

static cudaError_t run(struct launch *launch, struct kernel *kernel)
{
    unsigned resident = resident_blocks(launch, kernel);
    double ms_before = runtime.prediction.ms;
    launch->carveout =
        carved_bytes(kernel, launch->threads_per_block, launch->shared_size, resident);
    int ran = run_blocks(launch, resident, kernel->is_dependent ? 1 : runtime.threads);
    if (ran && launch->is_dependent) {
        kernel->is_dependent = 1;
        ran = run_again(launch, resident);
    }
    if (ran && !launch->fault.happened)
        count_machine(launch, kernel);
    if (!runtime.model)
        snprintf(runtime.prediction.why, sizeof runtime.prediction.why,
                 "the timing model is off: APODKIT_SIM_MODEL is 0");
    else if (ran && !launch->fault.happened)
        predict_end(launch, runtime.device, resident, runtime.sm->warps, &runtime.prediction,
                    runtime.stalls);
    runtime.clock_ms += runtime.prediction.ms - ms_before;
    trace_free(launch->trace);
    if (!ran)
        return runtime_out_of_memory("a block's registers, shared and local memory",
                                     launch->warps_per_block *
                                             (launch->frame_bytes + LANES * launch->local_bytes) +
                                         launch->shared_size);
    if (!launch->fault.happened) {
        counts_add(launch);
        return cudaSuccess;
    }
    snprintf(runtime.report, sizeof runtime.report, "%s", launch->fault.text);
    if (!runtime.leaves_reports)
        fprintf(stderr, "%s", launch->fault.text);
    runtime.pending = error_of(launch->fault.kind);
    return cudaSuccess;
}

static void trace_kernel(const struct kernel *kernel, const struct launch *launch,
                         cudaStream_t stream, double start_ms)
{
    struct activity activity = {
        .kind = ACTIVITY_KERNEL,
        .timed = MODELLED,
        .stream = stream_number(stream),
        .registers = kernel->registers,
        .registers_estimated = kernel->registers_are_estimated,
        .static_shared = kernel->function->shared_size,
        .dynamic_shared = launch->dynamic_shared,
    };
    memcpy(activity.grid, launch->grid, sizeof activity.grid);
    memcpy(activity.block, launch->threads, sizeof activity.block);
    trace_activity(activity, kernel->name, start_ms,
                   launch->fault.happened         ? "the kernel failed"
                   : runtime.clock_ms == start_ms ? runtime.prediction.why
                                                  : "");
}

// A failed kernel is an error of the next call that enters the runtime (cudaGetLastError() does
// not), as when a GPU's is waited for; what could not start is one of this.
static cudaError_t launch(struct kernel *kernel, dim3 grid, dim3 block, void **args, size_t shared,
                          cudaStream_t stream)
{
    const struct function *f = kernel->function;
    struct launch launch = {.params = runtime.params,
                            .budget = runtime.budget,
                            .number = runtime.launches++,
                            .multiprocessors = (unsigned)runtime.device->sms,
                            .has_kepler_banks = runtime.device->major == 3,
                            .checks = device_memory.checks,
                            .watcher = runtime.watcher,
                            .watcher_context = runtime.watcher_context,
                            .failed_block = UINT64_MAX};
    set_geometry(&launch, kernel, grid, block, shared);
    for (int i = 0; i < f->param_count; i++)
        memcpy(runtime.params + f->params[i].offset, args[i], f->params[i].size);
    launch.counters = calloc(launch.module->instruction_count + 1, sizeof *launch.counters);
    if (!launch.counters || pthread_mutex_init(&launch.lock, NULL) != 0) {
        free(launch.counters);
        return runtime_out_of_memory("the counters of a launch",
                                     launch.module->instruction_count * sizeof *launch.counters);
    }
    launch.code = kernel->machine;
    double start_ms = runtime.clock_ms;
    cudaError_t error = run(&launch, kernel);
    if (error == cudaSuccess)
        trace_kernel(kernel, &launch, stream, start_ms);
    pthread_mutex_destroy(&launch.lock);
    free(launch.counters);
    free(launch.machine.costs);
    return error;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream)
{
    cudaError_t error = runtime_enter();
    if (error != cudaSuccess)
        return runtime_leave(error);
    *runtime.report = '\0';
    struct kernel *kernel = find_kernel(func, &error);
    cudaError_t of_stream = kernel ? check_stream(stream) : cudaSuccess;
    if (of_stream != cudaSuccess)
        error = of_stream;
    else if (kernel && kernel->function->param_count > 0 && !args)
        error = runtime_refuse(cudaErrorInvalidValue, "the kernel's arguments are not there: NULL");
    else if (kernel && !is_possible(kernel, gridDim, blockDim, sharedMem))
        error = cudaErrorInvalidConfiguration;
    else if (kernel && !has_registers(kernel, blockDim))
        error = cudaErrorLaunchOutOfResources;
    else if (kernel)
        error = launch(kernel, gridDim, blockDim, args, sharedMem, stream);
    return runtime_leave(error);
}

// The handle is the host stub's address itself.
cudaError_t __cudaGetKernel(void **handle, const void *host)
{
    memcpy(handle, &host, sizeof host);
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(void *handle, struct dim3 grid, struct dim3 block, void **args,
                               size_t shared, struct CUstream_st *stream)
{
    return cudaLaunchKernel(handle, grid, block, args, shared, stream);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attr, const void *func)
{
    cudaError_t error = runtime_enter();
    struct kernel *kernel = error == cudaSuccess ? find_kernel(func, &error) : NULL;
    if (!kernel || !attr)
        return runtime_leave(kernel ? cudaErrorInvalidValue : error);
    const struct function *f = kernel->function;
    unsigned target = kernel->binary->module->target;
    int of_device = 10 * runtime.device->major + runtime.device->minor;
    *attr = (struct cudaFuncAttributes){
        .sharedSizeBytes = f->shared_size,
        .localSizeBytes = f->local_size,
        .maxThreadsPerBlock = f->max_threads ? (int)f->max_threads : (int)MAX_BLOCK_THREADS,
        .numRegs = kernel->registers,
        .ptxVersion = target ? (int)target : of_device,
        .binaryVersion = of_device,
        .maxDynamicSharedSizeBytes = (int)kernel->dynamic_shared_limit,
        .preferredShmemCarveout = kernel->carveout,
    };
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *func, enum cudaFuncAttribute attr, int value)
{
    cudaError_t error = runtime_enter();
    struct kernel *kernel = error == cudaSuccess ? find_kernel(func, &error) : NULL;
    if (!kernel)
        return runtime_leave(error);
    if (attr == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        if (value < 0 || value + kernel->function->shared_size > runtime.sm->shared_per_block)
            return runtime_leave(cudaErrorInvalidValue);
        kernel->dynamic_shared_limit = (size_t)value;
    } else if (attr == cudaFuncAttributePreferredSharedMemoryCarveout) {
        if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
            return runtime_leave(cudaErrorInvalidValue);
        if (runtime.device->major >= 7) // a preference: older devices ignore it
            kernel->carveout = value;
    } else {
        return runtime_leave(cudaErrorInvalidValue);
    }
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *func, enum cudaFuncCache cacheConfig)
{
    (void)func, (void)cacheConfig; // a preference: the device may ignore it
    return runtime_leave(runtime_enter());
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSMemSize,
                                                                   unsigned int flags)
{
    (void)flags;
    cudaError_t error = runtime_enter();
    struct kernel *kernel = error == cudaSuccess ? find_kernel(func, &error) : NULL;
    if (!kernel || !numBlocks || blockSize <= 0)
        return runtime_leave(error != cudaSuccess && !kernel ? error : cudaErrorInvalidValue);
    const struct function *f = kernel->function;
    int too_much = blockSize > MAX_BLOCK_THREADS || dynamicSMemSize > kernel->dynamic_shared_limit;
    *numBlocks =
        too_much ? 0
                 : (int)blocks_held(kernel, (unsigned)blockSize, f->shared_size + dynamicSMemSize);
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                          int blockSize, size_t dynamicSMemSize)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks, func, blockSize,
                                                                  dynamicSMemSize, 0);
}
