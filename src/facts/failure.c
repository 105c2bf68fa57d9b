#include "facts/failure.h"

#include "base/platform.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// What is different on the simulated device; NULL for the rest.
static const char *simulated_advice(cudaError_t error)
{
    switch (error) {
    case cudaErrorMemoryAllocation:
        return "Try a smaller n (-n), or end other programs: the simulated device has three "
               "quarters of this machine's memory.";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidPtx:
        return "The simulated device's report says why:";
    case cudaErrorLaunchTimeout:
    case cudaErrorLaunchFailure:
        return "The simulated device's report names the line.";
    default:
        return NULL;
    }
}

// What usually causes the error of a call, and what to do about it: one or two sentences, a static string. NULL of an
// error that is none of a call, but of a kernel or the device.
static const char *call_advice(cudaError_t error)
{
    switch (error) {
    case cudaErrorInvalidValue: // what newer runtimes say to a block that is too large, too
        return "Of a launch: a block has 1024 threads at most, a grid 65535 blocks at most in "
               "y and z, and no dimension may be 0. Of a copy, a fill or cudaFree(): the pointer, "
               "the size or the direction does not fit what was allocated.";
    case cudaErrorInvalidMemcpyDirection:
    case cudaErrorInvalidPitchValue:
        return "Of a copy: the kind is one of cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, "
               "cudaMemcpyDeviceToDevice and cudaMemcpyDefault, and no row is wider than its "
               "pitch.";
    case cudaErrorInvalidResourceHandle:
        return "A stream or an event is used that was never created, or was destroyed before.";
    case cudaErrorMemoryAllocation:
        return "Try a smaller n (-n), or free the GPU of other programs (nvidia-smi lists them).";
    default:
        return NULL;
    }
}

// The same of any error.
static const char *cuda_advice(cudaError_t error)
{
    const char *simulated = platform.simulated ? simulated_advice(error) : NULL;
    const char *of_call = call_advice(error);
    if (simulated || of_call)
        return simulated ? simulated : of_call;
    switch (error) {
    case cudaErrorIllegalAddress:
        return "A thread read or wrote outside the buffers: look at the guard (row < n && col < "
               "n), at the index, and for int where n * n needs size_t. `compute-sanitizer ./run "
               "STEP --no-profile` names the line.";
    case cudaErrorMisalignedAddress:
        return "A vector access (float2, float4) is not aligned to its size: n and the offset must "
               "be multiples of the vector's length. Other n need narrower accesses.";
    case cudaErrorLaunchOutOfResources:
        return "The block needs more registers than an SM has: use fewer threads a block, or "
               "__launch_bounds__(threads) on the kernel.";
    case cudaErrorInvalidConfiguration:
        return "A block has 1024 threads at most and a grid 65535 blocks at most in y and z, no "
               "dimension may be 0, and the shared memory asked for must fit an SM.";
    case cudaErrorNoKernelImageForDevice:
        return "The kernels were built for another GPU: type `make clean && make` on this machine.";
    case cudaErrorUnsupportedPtxVersion:
        return "The driver, which compiles the kernels' PTX, is older than the toolkit this "
               "was built with: update the driver (nvidia-smi shows its version).";
    case cudaErrorJitCompilerNotFound:
        return "The driver's compiler of PTX, libnvidia-ptxjitcompiler.so, is not there: "
               "install the whole driver, or in a container let its compute libraries in.";
    case cudaErrorLaunchTimeout:
        return "The display's watchdog ended the kernel: use a smaller n (-n), or a GPU without a "
               "display.";
    case cudaErrorAssert:
        return "An assert() in the kernel failed: its message is above.";
    case cudaErrorIllegalInstruction:
    case cudaErrorLaunchFailure:
    case cudaErrorHardwareStackError:
        return "The kernel crashed: a wild pointer, a stack overflow, or __trap(). "
               "`compute-sanitizer ./run STEP --no-profile` names the line.";
    case cudaErrorNoDevice:
        return "Is an NVIDIA GPU in this machine, does nvidia-smi show it, and is "
               "CUDA_VISIBLE_DEVICES not empty?";
    case cudaErrorInsufficientDriver:
        return "There is no NVIDIA driver, or it is older than the toolkit this was built with: "
               "install or update the driver (nvidia-smi shows its version).";
    case cudaErrorInvalidDevice:
        return "nvidia-smi -L lists the devices; they are numbered from 0.";
    default:
        return "The CUDA Runtime API's manual describes the error (type cudaError_t).";
    }
}

// Whether the error is one of a call: then the simulated device's report says what the call was given, and takes the
// place of the general advice.
static bool is_of_a_call(cudaError_t error)
{
    return call_advice(error) != NULL;
}

static const char *device_report(void)
{
    return platform.report ? platform.report() : "";
}

// The device's own report, without the marks in front of its lines.
static void copy_report(const char *report, char *complaint, size_t size)
{
    size_t used = 0;
    while (*report && used + 1 < size) {
        report += strspn(report, "= ");
        size_t length = strcspn(report, "\n");
        int written = snprintf(complaint + used, size - used, "%s%.*s", used ? "\n" : "",
                               (int)length, report);
        used += written > 0 ? (size_t)written : 0;
        report += length + (report[length] == '\n');
    }
}

__attribute__((format(printf, 3, 0))) static void
explain(cudaError_t error, char failure[FAILURE_SIZE], const char *format, va_list arguments)
{
    char what[200], reported[320] = "";
    vsnprintf(what, sizeof what, format, arguments);
    if (is_of_a_call(error))
        copy_report(device_report(), reported, sizeof reported);
    snprintf(failure, FAILURE_SIZE, "%s: %s (%s). %s%s", what, cudaGetErrorName(error),
             cudaGetErrorString(error), *reported ? reported : cuda_advice(error),
             *reported ? "." : "");
}

bool cuda_ok(cudaError_t error, char failure[FAILURE_SIZE], const char *format, ...)
{
    if (error == cudaSuccess)
        return true;
    va_list arguments;
    va_start(arguments, format);
    explain(error, failure, format, arguments);
    va_end(arguments);
    return false;
}

bool kernel_ok(cudaError_t error, char *complaint, size_t size, const char *format, ...)
{
    if (error == cudaSuccess)
        return true;
    va_list arguments;
    va_start(arguments, format);
    explain(error, complaint, format, arguments);
    va_end(arguments);
    if (!is_of_a_call(error) && *device_report())
        copy_report(device_report(), complaint, size);
    return false;
}

bool host_memory_failed(char failure[FAILURE_SIZE], const char *what, size_t bytes)
{
    snprintf(
        failure, FAILURE_SIZE,
        "the host has no %zu MiB of memory for %s. Try a smaller n (-n), or end other programs.",
        (bytes + (1 << 20) - 1) >> 20, what);
    return false;
}

bool cuda_is_lost(void)
{
    (void)cudaGetLastError(); // an error that can be cleared is not a lost device
    return cudaDeviceSynchronize() != cudaSuccess;
}
