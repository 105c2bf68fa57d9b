#include "facts/device.h"

#include "base/compute_capability.h"
#include "base/platform.h"

#include <stdio.h>
#include <string.h>

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

// The runtime says what the device has, and the table of compute capabilities in which units an SM
// gives it away. A device newer than the table has the units of the newest before it.
static void describe_sm(int ordinal, struct device *device)
{
    struct sm_limits sm = compute_capability_nearest(device->cc_major, device->cc_minor)->sm;
    sm.warps = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, ordinal) / WARP_SIZE;
    sm.blocks = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, ordinal);
    sm.registers = attribute(cudaDevAttrMaxRegistersPerMultiprocessor, ordinal);
    sm.registers_per_block = attribute(cudaDevAttrMaxRegistersPerBlock, ordinal);
    sm.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, ordinal);
    sm.shared_per_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, ordinal);
    sm.shared_reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock, ordinal);
    device->sm = sm;
}

// Of CUDA's 13000: "13.0".
static void format_version(char *text, size_t size, int version)
{
    snprintf(text, size, "%d.%d", version / 1000, version % 1000 / 10);
}

// The driver's own version is in a file of its kernel module, where the system shows that (Linux, not
// WSL); the runtime only tells which CUDA it knows.
static void describe_versions(struct device *device)
{
    int newest = 0;
    char own[24] = "", cuda[16];
#ifdef __CUDA_RUNTIME_API_H__ // NVIDIA's header, not the simulated device's in its place
    format_version(device->toolkit, sizeof device->toolkit, CUDART_VERSION);
#endif
    if (device->simulated || cudaDriverGetVersion(&newest) != cudaSuccess)
        return;
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    if (file && fgets(own, sizeof own - 1, file))
        strcpy(own + strcspn(own, "\n"), " ");
    if (file)
        fclose(file);
    format_version(cuda, sizeof cuda, newest);
    bool known = *own != '\0';
    snprintf(device->driver, sizeof device->driver, known ? "%s(CUDA %s)" : "%sCUDA %s", own, cuda);
}

bool device_open(int ordinal, struct device *device, char failure[FAILURE_SIZE])
{
    int count = 0;
    if (!cuda_ok(cudaGetDeviceCount(&count), failure, "no CUDA device can be used"))
        return false;
    if (ordinal >= count) {
        snprintf(failure, FAILURE_SIZE,
                 "there is no device %d: the CUDA runtime sees %d, numbered from 0%s", ordinal,
                 count, platform.simulated ? "." : "; nvidia-smi -L lists them.");
        return false;
    }

    struct cudaDeviceProp properties;
    if (!cuda_ok(cudaSetDevice(ordinal), failure, "device %d cannot be used", ordinal) ||
        !cuda_ok(cudaGetDeviceProperties(&properties, ordinal), failure,
                 "the properties of device %d", ordinal))
        return false;

    *device = (struct device){
        .simulated = platform.simulated,
        .checks_accesses = platform.checks_accesses && platform.checks_accesses(),
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
    describe_versions(device);
    return true;
}

bool device_none(void)
{
    int count = 0;
    return cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
}
