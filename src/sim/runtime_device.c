// The one simulated device, and what it says of itself.
#include <stdio.h>
#include <string.h>

#include "runtime.h"

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
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
    *driverVersion = DEVICE_CUDA_VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    *runtimeVersion = DEVICE_CUDA_VERSION;
    return cudaSuccess;
}

static void describe(struct cudaDeviceProp *prop)
{
    memset(prop, 0, sizeof *prop);
    snprintf(prop->name, sizeof prop->name, "Simulated device (compute capability %d.%d)",
             DEVICE_MAJOR, DEVICE_MINOR);
    prop->totalGlobalMem = device_memory.capacity;
    prop->sharedMemPerBlock = DEVICE_SHARED_PER_BLOCK;
    prop->sharedMemPerBlockOptin = DEVICE_SHARED_OPTIN;
    prop->sharedMemPerMultiprocessor = DEVICE_SHARED_PER_MULTIPROCESSOR;
    prop->reservedSharedMemPerBlock = DEVICE_SHARED_RESERVED;
    prop->regsPerBlock = prop->regsPerMultiprocessor = DEVICE_REGISTERS;
    prop->warpSize = LANES;
    prop->maxThreadsPerBlock = DEVICE_THREADS_PER_BLOCK;
    prop->maxThreadsPerMultiProcessor = DEVICE_THREADS_PER_MULTIPROCESSOR;
    prop->maxBlocksPerMultiProcessor = DEVICE_BLOCKS_PER_MULTIPROCESSOR;
    prop->maxThreadsDim[0] = prop->maxThreadsDim[1] = DEVICE_THREADS_PER_BLOCK;
    prop->maxThreadsDim[2] = DEVICE_BLOCK_Z;
    prop->maxGridSize[0] = DEVICE_GRID_X;
    prop->maxGridSize[1] = prop->maxGridSize[2] = DEVICE_GRID_YZ;
    prop->totalConstMem = DEVICE_CONSTANT_MEMORY;
    prop->major = DEVICE_MAJOR;
    prop->minor = DEVICE_MINOR;
    prop->multiProcessorCount = DEVICE_MULTIPROCESSORS;
    prop->l2CacheSize = DEVICE_L2_BYTES;
    prop->unifiedAddressing = 1;
    prop->managedMemory = 1;
    prop->canMapHostMemory = 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int device)
{
    cudaError_t error = runtime_enter();
    if (device != 0)
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        describe(prop);
    return runtime_leave(error);
}

static const struct {
    enum cudaDeviceAttr attribute;
    int value;
} attributes[] = {
    {cudaDevAttrMaxThreadsPerBlock, DEVICE_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimX, DEVICE_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimY, DEVICE_THREADS_PER_BLOCK},
    {cudaDevAttrMaxBlockDimZ, DEVICE_BLOCK_Z},
    {cudaDevAttrMaxGridDimX, DEVICE_GRID_X},
    {cudaDevAttrMaxGridDimY, DEVICE_GRID_YZ},
    {cudaDevAttrMaxGridDimZ, DEVICE_GRID_YZ},
    {cudaDevAttrMaxSharedMemoryPerBlock, DEVICE_SHARED_PER_BLOCK},
    {cudaDevAttrMaxSharedMemoryPerBlockOptin, DEVICE_SHARED_OPTIN},
    {cudaDevAttrMaxSharedMemoryPerMultiprocessor, DEVICE_SHARED_PER_MULTIPROCESSOR},
    {cudaDevAttrReservedSharedMemoryPerBlock, DEVICE_SHARED_RESERVED},
    {cudaDevAttrTotalConstantMemory, DEVICE_CONSTANT_MEMORY},
    {cudaDevAttrWarpSize, LANES},
    {cudaDevAttrMaxRegistersPerBlock, DEVICE_REGISTERS},
    {cudaDevAttrMaxRegistersPerMultiprocessor, DEVICE_REGISTERS},
    {cudaDevAttrMultiProcessorCount, DEVICE_MULTIPROCESSORS},
    {cudaDevAttrMaxThreadsPerMultiProcessor, DEVICE_THREADS_PER_MULTIPROCESSOR},
    {cudaDevAttrMaxBlocksPerMultiprocessor, DEVICE_BLOCKS_PER_MULTIPROCESSOR},
    {cudaDevAttrL2CacheSize, DEVICE_L2_BYTES},
    {cudaDevAttrComputeCapabilityMajor, DEVICE_MAJOR},
    {cudaDevAttrComputeCapabilityMinor, DEVICE_MINOR},
    {cudaDevAttrUnifiedAddressing, 1},
    {cudaDevAttrManagedMemory, 1},
    {cudaDevAttrCanMapHostMemory, 1},
    // What has to do with time is not known: it is 0.
    {cudaDevAttrClockRate, 0},
    {cudaDevAttrMemoryClockRate, 0},
    {cudaDevAttrGlobalMemoryBusWidth, 0},
    {cudaDevAttrConcurrentKernels, 0},
    {cudaDevAttrAsyncEngineCount, 0},
    {cudaDevAttrIntegrated, 0},
    {cudaDevAttrEccEnabled, 0},
    {cudaDevAttrComputeMode, 0},
    {cudaDevAttrKernelExecTimeout, 0},
    {cudaDevAttrCooperativeLaunch, 0},
};

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    cudaError_t error = runtime_enter();
    if (device != 0)
        return runtime_leave(cudaErrorInvalidDevice);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        if (attributes[i].attribute == attr) {
            *value = attributes[i].value;
            return runtime_leave(error);
        }
    }
    return runtime_leave(cudaErrorInvalidValue);
}
