// The blocks that each SM ran on a real GPU. CUPTI's counters say how many there were on the busiest and
// on the idlest SM, not on each; and of instrumented machine code (SASS metrics, by SM) CUPTI 13.0 gives one
// SM's count for all of them. So a copy of the kernel counts: its PTX, which the program holds beside the
// machine code, with a few instructions more, compiled by the driver and launched in the kernel's place.
#include "measure/block_counter.h"

#include "base/fatbin.h"
#include "base/loaded.h"
#include "cupti/driver.h"
#include "cupti/instrumented_ptx.h"
#include "cupti/registered_kernels.h"
#include "cupti/sm_numbers.h"

#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COPY "a copy of the kernel that counts its blocks"

struct driver_calls {
    PFN_cuModuleLoadDataEx_v2010 load;
    PFN_cuModuleUnload_v2000 unload;
    PFN_cuModuleGetFunction_v2000 get_function;
    PFN_cuModuleGetGlobal_v3020 get_global;
    PFN_cuFuncSetAttribute_v9000 set_attribute;
    PFN_cuLaunchKernel_v4000 launch;
};

// The kernel's copy, in the context of the runtime's current device.
struct copy {
    struct driver_calls calls;
    const void *original; // the kernel's host stub
    CUmodule module;
    CUfunction function;
    CUdeviceptr counts; // MAX_SMS of 64 bits
    unsigned launches;  // how many there were,
    cudaError_t error;  // and of the last
};

static bool find_calls(struct driver_calls *calls, char *why, size_t size)
{
    return driver_function("cuModuleLoadDataEx", &calls->load, why, size) &&
           driver_function("cuModuleUnload", &calls->unload, why, size) &&
           driver_function("cuModuleGetFunction", &calls->get_function, why, size) &&
           driver_function("cuModuleGetGlobal", &calls->get_global, why, size) &&
           driver_function("cuFuncSetAttribute", &calls->set_attribute, why, size) &&
           driver_function("cuLaunchKernel", &calls->launch, why, size);
}

// The driver's errors have the runtime's numbers (driver_types.h and cuda.h, from CUDA 10.1 on).
#define driver_ok(error, ...) cuda_ok((cudaError_t)(error), __VA_ARGS__)

// 10 x major + minor of the device's compute capability.
static bool find_arch(int ordinal, unsigned *arch, char why[FAILURE_SIZE])
{
    int major, minor;
    if (!cuda_ok(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, ordinal), why,
                 "cudaDeviceGetAttribute of device %d", ordinal) ||
        !cuda_ok(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, ordinal), why,
                 "cudaDeviceGetAttribute of device %d", ordinal))
        return false;
    *arch = (unsigned)(10 * major + minor);
    return true;
}

// The copy's PTX, which the caller frees, and the kernel's name in it.
static char *make_ptx(const void *stub, int ordinal, const char **name, char why[FAILURE_SIZE])
{
    struct registered_kernel kernel;
    char reason[FAILURE_SIZE / 2] = "";
    unsigned arch;
    size_t size = 0;
    if (!find_arch(ordinal, &arch, why))
        return NULL;
    if (!registered_kernels_find(stub, &kernel)) {
        snprintf(why, FAILURE_SIZE,
                 "the program holds no code of the kernel: type `make clean && make`");
        return NULL;
    }
    if (kernel.variable) {
        snprintf(why, FAILURE_SIZE,
                 "the kernel's file has a variable on the device (%s), of which " COPY
                 " would have another: give the kernel what it needs as arguments",
                 kernel.variable);
        return NULL;
    }
    *name = kernel.name;
    const char *ptx =
        fatbin_find_ptx(kernel.code, loaded_size(kernel.code), arch, &size, reason, sizeof reason);
    char *text =
        ptx ? instrumented_ptx(ptx, size, kernel.name, MAX_SMS, reason, sizeof reason) : NULL;
    if (!text)
        snprintf(why, FAILURE_SIZE, "the program's code of %s: %s", kernel.name, reason);
    return text;
}

static bool load(struct copy *copy, const char *ptx, const char *name, char why[FAILURE_SIZE])
{
    char log[128] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUresult error = copy->calls.load(&copy->module, ptx, 2, options, values);
    log[strcspn(log, "\n")] = '\0';
    size_t size = 0;
    if (!driver_ok(error, why, "cuModuleLoadDataEx of " COPY "%s%s", *log ? ": " : "", log) ||
        !driver_ok(copy->calls.get_function(&copy->function, copy->module, name), why,
                   "cuModuleGetFunction of %s", name) ||
        !driver_ok(copy->calls.get_global(&copy->counts, &size, copy->module, BLOCKS_OF_SM), why,
                   "cuModuleGetGlobal of " BLOCKS_OF_SM))
        return false;
    if (size == MAX_SMS * sizeof(uint64_t))
        return true;
    snprintf(why, FAILURE_SIZE, BLOCKS_OF_SM " has %zu bytes on the device, not %zu", size,
             MAX_SMS * sizeof(uint64_t));
    return false;
}

// Gives the copy what launch() may have set on the kernel (cudaFuncSetAttribute()): how an SM's memory is
// shared out decides how many blocks it holds.
static cudaError_t set_attributes(const struct copy *copy, const struct launch_record *launch)
{
    struct cudaFuncAttributes original;
    cudaError_t error = cudaFuncGetAttributes(&original, copy->original);
    if (error == cudaSuccess && launch->dynamic_shared > 0)
        error = (cudaError_t)copy->calls.set_attribute(
            copy->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
            (int)launch->dynamic_shared);
    if (error == cudaSuccess && original.preferredShmemCarveout != cudaSharedmemCarveoutDefault)
        error = (cudaError_t)copy->calls.set_attribute(
            copy->function, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
            original.preferredShmemCarveout);
    return error;
}

// Takes the place of cudaLaunchKernel().
static cudaError_t launch_copy(void *context, const struct launch_record *launch, void **arguments,
                               cudaStream_t stream)
{
    struct copy *copy = context;
    const unsigned *grid = launch->grid, *block = launch->block;
    copy->launches++;
    copy->error = launch->kernel == copy->original ? set_attributes(copy, launch)
                                                   : cudaErrorInvalidDeviceFunction;
    if (copy->error == cudaSuccess)
        copy->error = (cudaError_t)copy->calls.launch(
            copy->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
            (unsigned)launch->dynamic_shared, stream, arguments, NULL);
    return copy->error;
}

// Launches the copy, waits for it, and fetches what it counted.
static bool run(struct copy *copy, profiler_launch *launch, void *context, uint64_t counts[MAX_SMS],
                char why[FAILURE_SIZE])
{
    launches_substitute(launch_copy, copy);
    launch(context);
    launches_substitute(NULL, NULL);
    if (copy->launches != 1) {
        snprintf(why, FAILURE_SIZE,
                 "launch() made %u launches, and one before: it must do the same each time",
                 copy->launches);
        return false;
    }
    return cuda_ok(copy->error, why, "cuLaunchKernel of " COPY) &&
           kernel_ok(cudaDeviceSynchronize(), why, FAILURE_SIZE, COPY) &&
           cuda_ok(cudaMemcpy(counts, (const void *)(uintptr_t)copy->counts,
                              MAX_SMS * sizeof *counts, cudaMemcpyDeviceToHost),
                   why, "cudaMemcpy of the SMs' counts");
}

static bool count(const struct launch_record *launched, int ordinal, profiler_launch *launch,
                  void *context, uint64_t counts[MAX_SMS], char why[FAILURE_SIZE])
{
    struct copy copy = {.original = launched->kernel};
    const char *name;
    char *ptx = make_ptx(launched->kernel, ordinal, &name, why);
    bool good = ptx && find_calls(&copy.calls, why, FAILURE_SIZE) && load(&copy, ptx, name, why) &&
                run(&copy, launch, context, counts, why);
    if (copy.module)
        (void)copy.calls.unload(copy.module); // nothing could be done about a failure
    free(ptx);
    return good;
}

void block_counter_measure(int ordinal, int sms, const struct launch_record *launched,
                           profiler_launch *launch, void *context, struct sm_blocks *blocks)
{
    const unsigned *grid = launched->grid;
    uint64_t counts[MAX_SMS];
    *blocks = (struct sm_blocks){.provenance = UNAVAILABLE};
    if (count(launched, ordinal, launch, context, counts, blocks->why) &&
        list_sms(counts, (uint64_t)grid[0] * grid[1] * grid[2], sms, blocks))
        blocks->provenance = MEASURED;
}
