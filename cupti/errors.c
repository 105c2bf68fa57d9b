#include "cupti/errors.h"

#include <stdio.h>

// What the error means for a reader of the report, and on further lines what to do about it.
// A static string.
static const char *cupti_error_text(CUptiResult error)
{
    switch ((int)error) { // by number: older toolkits lack some of the names
    case 35:              // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
        return "this user may not read the GPU's counters\n"
               "Run as root (or give a container CAP_SYS_ADMIN), or have the administrator load "
               "the driver with\nNVreg_RestrictProfilingToAdminUsers=0 "
               "(developer.nvidia.com/ERR_NVGPUCTRPERM). RmProfilingAdminOnly in\n"
               "/proc/driver/nvidia/params shows the present setting.";
    case 26: // CUPTI_ERROR_HARDWARE_BUSY
        return "another profiler is using the counters\n"
               "End it, or pause the monitoring service: `dcgmi profile --pause` (and later "
               "`--resume`).";
    case 39: // CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
        return "another tool has subscribed to CUPTI in this process\n"
               "Run without ncu, nsys or compute-sanitizer to count; with them, --no-profile says "
               "that this is meant.";
    case 15: // CUPTI_ERROR_NOT_INITIALIZED
        return "the driver's profiling interface did not start\n"
               "Check that the driver is at least as new as the toolkit (nvidia-smi shows both "
               "versions), and that no\nother tool holds the profiler (ncu, nsys, "
               "compute-sanitizer).";
    case 27: // CUPTI_ERROR_NOT_SUPPORTED
        return "this GPU has no range profiler\n"
               "It takes compute capability 7.5 or newer (Turing, 2018), and a toolkit that knows "
               "the chip:\n`./run metrics` lists those it knows.";
    case 33: // CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
    case 40: // CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
        return "this is a virtual GPU whose host does not pass the counters on\n"
               "The host's administrator can allow it (vGPU plugin parameter "
               "enable_profiling=1), or use a whole GPU.";
    case 41: // CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
        return "the GPU runs in confidential-computing mode, which hides the counters\n"
               "Use a GPU that is not in that mode; the host's administrator sets it.";
    case 42: // CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED
        return "mining cards (CMP) have no profiler\nUse another GPU.";
    case 43: // CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED
        return "this part of a MIG-partitioned GPU cannot be profiled\n"
               "Use a whole GPU, or a driver and toolkit that profile MIG instances.";
    case 45: // CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED
        return "profiling is off under WSL\n"
               "Allow access to the performance counters in the NVIDIA Control Panel on the "
               "Windows side.";
    case 46: // CUPTI_ERROR_INVALID_CHIP_NAME
        return "this CUPTI does not know the chip\n"
               "Use a newer toolkit; `./run metrics` lists the chips this one knows.";
    case 8: // CUPTI_ERROR_OUT_OF_MEMORY
        return "memory ran out\nTry a smaller n (-n).";
    default:
        return "the counters cannot be had\n"
               "The error's number is explained in cupti_result.h and in CUPTI's manual.";
    }
}

bool cupti_ok(CUptiResult error, const char *call, char *why, size_t size)
{
    if (error == CUPTI_SUCCESS)
        return true;
    snprintf(why, size, "%s: error %d, %s", call, (int)error, cupti_error_text(error));
    return false;
}
