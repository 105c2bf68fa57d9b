// The runtime's state, its errors, and the device's life.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/count/l2.h"
#include "sim/cuda/runtime.h"

enum { PARAMS_SIZE = 1 << 15, MAX_THREADS = 1024, USAGE = 2 };
static const uint64_t default_budget = (uint64_t)1 << 27; // 3 to 10 s

struct runtime runtime = {.lock = PTHREAD_MUTEX_INITIALIZER};

// A wrong value ends the program: no call of the API could say what is wrong.
static uint64_t from_environment(const char *name, uint64_t least, uint64_t most,
                                 uint64_t otherwise)
{
    const char *text = getenv(name);
    char *end;
    if (!text)
        return otherwise;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && !*end && !errno && number >= least && number <= most)
        return number;
    fprintf(stderr, "simulated device: %s='%s' is not a whole number from %llu to %llu\n", name,
            text, (unsigned long long)least, (unsigned long long)most);
    exit(USAGE);
}

// A name that is none ends the program, too: a run on another device would mislead.
static void choose_device(void)
{
    const char *name = getenv("APODKIT_SIM_DEVICE");
    runtime.device = name && *name ? sim_device_find(name) : sim_devices;
    if (runtime.device) {
        runtime.sm = &compute_capability_find(runtime.device->major, runtime.device->minor)->sm;
        return;
    }
    fprintf(stderr, "simulated device: APODKIT_SIM_DEVICE=%s is none of", name);
    for (int i = 0; i < sim_device_count; i++)
        fprintf(stderr, "%s %s", i ? "," : "", sim_devices[i].name);
    fputc('\n', stderr);
    exit(USAGE);
}

static void configure(void)
{
    if (runtime.is_configured)
        return;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t threads = cores < 1 ? 1 : cores > MAX_THREADS ? MAX_THREADS : (uint64_t)cores;
    runtime.is_configured = 1;
    choose_device();
    runtime.checks = (int)from_environment("APODKIT_SIM_CHECKS", 0, 1, 1);
    runtime.model = (int)from_environment("APODKIT_SIM_MODEL", 0, 1, 1);
    runtime.threads = (unsigned)from_environment("APODKIT_SIM_THREADS", 1, MAX_THREADS, threads);
    runtime.budget = from_environment("APODKIT_SIM_BUDGET", 1, INT64_MAX, default_budget);
}

static cudaError_t open_device(void)
{
    if (runtime.is_open)
        return cudaSuccess;
    if (!device_memory.size && !device_memory_open(runtime.checks))
        return runtime_refuse(cudaErrorMemoryAllocation,
                              "Out of addresses: the system gives no %llu MiB of them for the "
                              "simulated device's memory and what is noted of it%s",
                              (unsigned long long)device_memory_least(runtime.checks) >> 20,
                              runtime_address_limit("; the sysctl vm.overcommit_memory=0 lets it"));
    runtime.params = device_allocate(PARAMS_SIZE, 16, OWNED_BY_RUNTIME);
    if (!runtime.params)
        return runtime_out_of_memory("the parameters of kernels", PARAMS_SIZE);
    device_mark_written(runtime.params, PARAMS_SIZE);
    runtime.is_open = 1;
    return cudaSuccess;
}

cudaError_t runtime_enter(void)
{
    pthread_mutex_lock(&runtime.lock);
    configure();
    cudaError_t error = open_device();
    if (error != cudaSuccess)
        return error;
    if (runtime.pending != cudaSuccess)
        runtime.sticky = runtime.pending;
    runtime.pending = cudaSuccess;
    return runtime.sticky;
}

cudaError_t runtime_refuse(cudaError_t error, const char *what, ...)
{
    char text[sizeof runtime.report - 16];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(text, sizeof text, what, arguments);
    va_end(arguments);
    snprintf(runtime.report, sizeof runtime.report, "========= %s\n", text);
    runtime.is_told = 1;
    return error;
}

const char *runtime_address_limit(const char *otherwise)
{
    static char text[120];
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return otherwise;
    snprintf(
        text, sizeof text,
        ". This process may have %llu MiB of addresses in all: `ulimit -v unlimited` lifts that",
        (unsigned long long)limit.rlim_cur >> 20);
    return text;
}

cudaError_t no_place(void)
{
    return runtime_refuse(cudaErrorInvalidValue, "there is no place for the result: NULL");
}

cudaError_t runtime_out_of_memory(const char *what, size_t bytes)
{
    return runtime_refuse(
        cudaErrorMemoryAllocation,
        "Out of memory: this machine has no %zu bytes for %s. Take a smaller problem (-n)%s", bytes,
        what, runtime_address_limit(", or end other programs"));
}

// What was reported of an earlier call is not about this one; a kernel's fault is, until a reset.
cudaError_t runtime_leave(cudaError_t error)
{
    if (error != cudaSuccess && error != runtime.sticky && !runtime.is_told)
        *runtime.report = '\0';
    runtime.is_told = 0;
    if (error != cudaSuccess && error != cudaErrorNotReady)
        runtime.last = error;
    pthread_mutex_unlock(&runtime.lock);
    return error;
}

void sim_set(enum sim_setting setting, uint64_t value)
{
    pthread_mutex_lock(&runtime.lock);
    configure();
    switch (setting) {
    case SIM_CHECKS:
        runtime.checks = (int)value;
        break;
    case SIM_MODEL:
        runtime.model = (int)value;
        break;
    case SIM_THREADS:
        runtime.threads = value ? (unsigned)value : 1;
        break;
    case SIM_BUDGET:
        runtime.budget = value ? value : 1;
        break;
    }
    pthread_mutex_unlock(&runtime.lock);
}

int sim_checks(void)
{
    pthread_mutex_lock(&runtime.lock);
    configure();
    int on = runtime.checks;
    pthread_mutex_unlock(&runtime.lock);
    return on;
}

void sim_watch(sim_watcher *watcher, void *context)
{
    pthread_mutex_lock(&runtime.lock);
    runtime.watcher = watcher;
    runtime.watcher_context = context;
    pthread_mutex_unlock(&runtime.lock);
}

void sim_watch_stalls(struct stall_samples *stalls)
{
    pthread_mutex_lock(&runtime.lock);
    runtime.stalls = stalls;
    pthread_mutex_unlock(&runtime.lock);
}

void sim_leave_reports(void)
{
    runtime.leaves_reports = 1;
}

const char *sim_last_report(void)
{
    return runtime.report;
}

cudaError_t cudaGetLastError(void)
{
    pthread_mutex_lock(&runtime.lock);
    cudaError_t error = runtime.sticky ? runtime.sticky : runtime.last;
    runtime.last = cudaSuccess;
    pthread_mutex_unlock(&runtime.lock);
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    pthread_mutex_lock(&runtime.lock);
    cudaError_t error = runtime.sticky ? runtime.sticky : runtime.last;
    pthread_mutex_unlock(&runtime.lock);
    return error;
}

// The device's memory goes, with the variables in it: every module is read again when it is needed.
cudaError_t cudaDeviceReset(void)
{
    pthread_mutex_lock(&runtime.lock);
    counts_forget(); // they name instructions of the modules
    for (struct binary *binary = runtime.binaries; binary; binary = binary->next) {
        module_free(binary->module);
        binary->module = NULL;
        binary->error = cudaSuccess;
    }
    for (struct kernel *kernel = runtime.kernels; kernel; kernel = kernel->next)
        kernel->function = NULL;
    if (runtime.is_open)
        device_memory_close();
    forget_handles();
    runtime.is_open = 0;
    l2_free(runtime.l2);
    runtime.l2 = NULL;
    runtime.sticky = runtime.pending = runtime.last = cudaSuccess;
    pthread_mutex_unlock(&runtime.lock);
    return cudaSuccess;
}

#define ROW(error, text)                                                                           \
    {                                                                                              \
        error, #error, text                                                                        \
    }
static const struct error {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
    ROW(cudaSuccess, "no error"),
    ROW(cudaErrorInvalidValue, "invalid argument"),
    ROW(cudaErrorMemoryAllocation, "out of memory"),
    ROW(cudaErrorInitializationError, "initialization error"),
    ROW(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    ROW(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    ROW(cudaErrorInvalidSymbol, "invalid device symbol"),
    ROW(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    ROW(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    ROW(cudaErrorInvalidDeviceFunction, "invalid device function"),
    ROW(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    ROW(cudaErrorInvalidDevice, "invalid device ordinal"),
    ROW(cudaErrorNoKernelImageForDevice,
        "no kernel image is available for execution on the device"),
    ROW(cudaErrorInvalidPtx, "a PTX JIT compilation failed"),
    ROW(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    ROW(cudaErrorNotReady, "device not ready"),
    ROW(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    ROW(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    ROW(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    ROW(cudaErrorMisalignedAddress, "misaligned address"),
    ROW(cudaErrorAssert, "device-side assert triggered"),
    ROW(cudaErrorLaunchFailure, "unspecified launch failure"),
    ROW(cudaErrorNotSupported, "operation not supported"),
    ROW(cudaErrorUnknown, "unknown error"),
};

static struct error find_error(cudaError_t error)
{
    static const char none[] = "unrecognized error code";
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i];
    return (struct error){error, none, none};
}

const char *cudaGetErrorName(cudaError_t error)
{
    return find_error(error).name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return find_error(error).text;
}
