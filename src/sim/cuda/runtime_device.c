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

// Streams are all alike.
cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    if (leastPriority)
        *leastPriority = 0;
    if (greatestPriority)
        *greatestPriority = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device, int peerDevice)
{
    (void)runtime_enter();
    if (device != 0 || peerDevice != 0)
        return runtime_leave(cudaErrorInvalidDevice);
    (void)runtime_leave(cudaSuccess);
    return tell(canAccessPeer, 0); // not of its own
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

// Whether CUDA 13.0 has an attribute of that number.
static int is_attribute(int which)
{
    enum { LAST = 147 };
    static const unsigned char unused[] = {44, 102, 103, 104, 105, 107, 110, 136, 137, 146};
    return which >= 1 && which <= LAST && !memchr(unused, which, sizeof unused);
}

// How many times as fast as double precision single is: what NVIDIA's table of throughputs of arithmetic
// instructions says (CUDA C++ Programming Guide).
static int double_ratio(const struct sim_device *device)
{
    if (device->major == 3)
        return 3;
    return device->minor == 0 ? 2 : device->major == 8 ? 64 : 32;
}

// An attribute's value: 0 of what is not simulated, as textures and clusters.
static int attribute(enum cudaDeviceAttr which)
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
        {cudaDevAttrMaxPitch, MAX_PITCH},
        {cudaDevAttrTextureAlignment, 512}, // that of allocations, and of cudaMallocPitch()'s rows
        {cudaDevAttrSurfaceAlignment, 512},
        {cudaDevAttrTexturePitchAlignment, 32},
        {cudaDevAttrGlobalL1CacheSupported, device->timing.l1_holds_global},
        {cudaDevAttrLocalL1CacheSupported, 1},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, double_ratio(device)},
        {cudaDevAttrMemoryPoolsSupported, 1}, // cudaMallocAsync()
        {cudaDevAttrHostNumaId, -1},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        if (attributes[i].which == which)
            return attributes[i].value;
    return 0;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int device)
{
    cudaError_t error = runtime_enter();
    if (device != 0)
        return runtime_leave(cudaErrorInvalidDevice);
    if (!value)
        return runtime_leave(no_place());
    if (!is_attribute((int)attr))
        return runtime_leave(
            runtime_refuse(cudaErrorInvalidValue, "a device has no attribute %d", (int)attr));
    *value = attribute(attr);
    return runtime_leave(error);
}
