// The one simulated device there is, and what it says of itself.
#include <stdio.h>
#include <string.h>

#include "sim/cuda/runtime.h"

// Gives a call's result, for which there must be a place.
static cudaError_t tell(int *place, int value)
{
    pthread_mutex_lock(&runtime.lock);
    if (!place)
        return runtime_leave(no_place());
    *place = value;
    return runtime_leave(cudaSuccess);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    (void)runtime_leave((runtime_enter(), cudaSuccess)); // the first call: which device is it?
    return tell(count, 1);
}

cudaError_t cudaGetDevice(int *device)
{
    return tell(device, 0);
}

cudaError_t cudaSetDevice(int device)
{
    return runtime_leave(device == 0 ? runtime_enter() : (runtime_enter(), cudaErrorInvalidDevice));
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    (void)cacheConfig; // a preference: the device may ignore it
    return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    return tell(driverVersion, DEVICE_CUDA_VERSION);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    return tell(runtimeVersion, DEVICE_CUDA_VERSION);
}

// The host may have less memory than the GPU.
static size_t global_memory(void)
{
    size_t of_the_gpu = runtime.device->memory_bytes;
    return device_memory.capacity < of_the_gpu ? device_memory.capacity : of_the_gpu;
}

static void describe(struct cudaDeviceProp *prop)
{
    const struct sim_device *device = runtime.device;
    const struct sm_limits *sm = runtime.sm;
    memset(prop, 0, sizeof *prop);
    snprintf(prop->name, sizeof prop->name, "Simulated device %s", device->full_name);
    prop->totalGlobalMem = global_memory();
    prop->sharedMemPerBlock = DEFAULT_SHARED_PER_BLOCK;
    prop->sharedMemPerBlockOptin = sm->shared_per_block;
    prop->sharedMemPerMultiprocessor = sm->shared_bytes;
    prop->reservedSharedMemPerBlock = sm->shared_reserved;
    prop->regsPerBlock = (int)sm->registers_per_block;
    prop->regsPerMultiprocessor = (int)sm->registers;
    prop->warpSize = WARP_SIZE;
    prop->maxThreadsPerBlock = MAX_BLOCK_THREADS;
    prop->maxThreadsPerMultiProcessor = (int)sm->warps * WARP_SIZE;
    prop->maxBlocksPerMultiProcessor = (int)sm->blocks;
    prop->maxThreadsDim[0] = prop->maxThreadsDim[1] = MAX_BLOCK_THREADS;
    prop->maxThreadsDim[2] = DEVICE_BLOCK_Z;
    prop->maxGridSize[0] = DEVICE_GRID_X;
    prop->maxGridSize[1] = prop->maxGridSize[2] = DEVICE_GRID_YZ;
    prop->totalConstMem = DEVICE_CONSTANT_MEMORY;
    prop->major = device->major;
    prop->minor = device->minor;
    prop->multiProcessorCount = device->sms;
    prop->l2CacheSize = (int)device->l2_bytes;
    prop->memoryBusWidth = device->memory_bus_bits;
    prop->unifiedAddressing = 1;
    prop->managedMemory = 1;
    prop->canMapHostMemory = 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    cudaError_t error = runtime_enter();
    if (device != 0)
        error = cudaErrorInvalidDevice;
    else if (error == cudaSuccess && !prop)
        error = no_place();
    if (error == cudaSuccess)
        describe(prop);
    return runtime_leave(error);
}

struct attribute {
    enum cudaDeviceAttr which;
    int value;
};

// Sets the value and returns 1, or returns 0 for an attribute that this runtime does not know.
static int find_attribute(enum cudaDeviceAttr which, int *value)
{
    const struct sim_device *device = runtime.device;
    const struct sm_limits *sm = runtime.sm;
    const struct attribute attributes[] = {
        {cudaDevAttrMaxThreadsPerBlock, MAX_BLOCK_THREADS},
        {cudaDevAttrMaxBlockDimX, MAX_BLOCK_THREADS},
        {cudaDevAttrMaxBlockDimY, MAX_BLOCK_THREADS},
        {cudaDevAttrMaxBlockDimZ, DEVICE_BLOCK_Z},
        {cudaDevAttrMaxGridDimX, DEVICE_GRID_X},
        {cudaDevAttrMaxGridDimY, DEVICE_GRID_YZ},
        {cudaDevAttrMaxGridDimZ, DEVICE_GRID_YZ},
        {cudaDevAttrMaxSharedMemoryPerBlock, DEFAULT_SHARED_PER_BLOCK},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, (int)sm->shared_per_block},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, (int)sm->shared_bytes},
        {cudaDevAttrReservedSharedMemoryPerBlock, (int)sm->shared_reserved},
        {cudaDevAttrTotalConstantMemory, DEVICE_CONSTANT_MEMORY},
        {cudaDevAttrWarpSize, WARP_SIZE},
        {cudaDevAttrMaxRegistersPerBlock, (int)sm->registers_per_block},
        {cudaDevAttrMaxRegistersPerMultiprocessor, (int)sm->registers},
        {cudaDevAttrMultiProcessorCount, device->sms},
        {cudaDevAttrMaxThreadsPerMultiProcessor, (int)sm->warps * WARP_SIZE},
        {cudaDevAttrMaxBlocksPerMultiprocessor, (int)sm->blocks},
        {cudaDevAttrL2CacheSize, (int)device->l2_bytes},
        {cudaDevAttrComputeCapabilityMajor, device->major},
        {cudaDevAttrComputeCapabilityMinor, device->minor},
        {cudaDevAttrClockRate, device->sm_clock_mhz * 1000},
        {cudaDevAttrMemoryClockRate, device->memory_clock_mhz * 1000},
        {cudaDevAttrGlobalMemoryBusWidth, device->memory_bus_bits},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrConcurrentKernels, 0},
        {cudaDevAttrAsyncEngineCount, 0},
        {cudaDevAttrIntegrated, 0},
        {cudaDevAttrEccEnabled, 0},
        {cudaDevAttrComputeMode, 0},
        {cudaDevAttrKernelExecTimeout, 0},
        {cudaDevAttrCooperativeLaunch, 0},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (attributes[i].which == which) {
            *value = attributes[i].value;
            return 1;
        }
    }
    return 0;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    cudaError_t error = runtime_enter();
    if (device != 0)
        return runtime_leave(cudaErrorInvalidDevice);
    if (!value)
        return runtime_leave(no_place());
    return runtime_leave(find_attribute(attr, value) ? error : cudaErrorInvalidValue);
}
