#include "device.h"

#include "profiler.h"

#include <stdio.h>

// An attribute that the runtime does not know counts as 0.
static int attribute(enum cudaDeviceAttr which, int ordinal)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, which, ordinal) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return value;
}

// The allocation units since compute capability 3.0, which the runtime has no attributes for:
// CUDA Occupancy Calculator. Shared memory came in units of 256 bytes until 7.5, 128 since 8.0.
static void describe_sm(int ordinal, struct device *device)
{
    device->sm = (struct sm_limits){
        .warps = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, ordinal) / 32,
        .blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, ordinal),
        .registers = attribute(cudaDevAttrMaxRegistersPerMultiprocessor, ordinal),
        .register_unit = 256,
        .warp_granularity = 4,
        .shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, ordinal),
        .shared_unit = device->cc_major >= 8 ? 128 : 256,
        .shared_reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock, ordinal),
    };
}

bool device_open(int ordinal, struct device *device, char failure[FAILURE_SIZE])
{
    int count = 0;
    if (!cuda_ok(cudaGetDeviceCount(&count), failure, "no CUDA device can be used"))
        return false;
    if (ordinal >= count) {
        snprintf(failure, FAILURE_SIZE,
                 "there is no device %d: the CUDA runtime sees %d, numbered from 0. %s", ordinal,
                 count, cuda_advice(cudaErrorInvalidDevice));
        return false;
    }

    struct cudaDeviceProp properties;
    if (!cuda_ok(cudaSetDevice(ordinal), failure, "device %d cannot be used", ordinal) ||
        !cuda_ok(cudaGetDeviceProperties(&properties, ordinal), failure,
                 "the properties of device %d", ordinal))
        return false;

    *device = (struct device){
        .simulated = profiler_simulates(),
        .checks_accesses = profiler_checks_accesses(),
        .cc_major = properties.major,
        .cc_minor = properties.minor,
        .sms = properties.multiProcessorCount,
        .dram_peak_gbs = 2e3 * attribute(cudaDevAttrMemoryClockRate, ordinal) * // kHz, both edges
                         attribute(cudaDevAttrGlobalMemoryBusWidth, ordinal) / 8 * 1e-9,
        .l2_bytes = attribute(cudaDevAttrL2CacheSize, ordinal),
        .memory_bytes = properties.totalGlobalMem,
    };
    snprintf(device->name, sizeof device->name, "%.*s", (int)sizeof device->name - 1,
             properties.name);
    describe_sm(ordinal, device);
    return true;
}

static size_t two_matrices(size_t n)
{
    return 2 * n * n * sizeof(float);
}

size_t device_default_n(const struct device *device)
{
    size_t n = 4096;
    while (!device->simulated && two_matrices(n) < 8 * device->l2_bytes)
        n *= 2;
    return n;
}

bool device_fits_in_l2(const struct device *device, size_t n)
{
    return two_matrices(n) <= device->l2_bytes;
}
