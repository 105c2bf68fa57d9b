// What the parts of the CUDA runtime share.
#ifndef SIM_RUNTIME_H
#define SIM_RUNTIME_H

#include <cuda_runtime_api.h>
#include <pthread.h>

#include "base/compute_capability.h"
#include "base/sim_devices.h"
#include "facts/activities.h"
#include "sim/exec/block.h"
#include "sim/machine/machine_code.h"
#include "sim/sim.h"

// What every device has, from compute capability 3.0 on (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
enum {
    DEVICE_CONSTANT_MEMORY = 64 << 10,
    DEVICE_GRID_X = 0x7fffffff,
    DEVICE_GRID_YZ = 65535,
    DEVICE_BLOCK_Z = 64,
    MAX_PITCH = 0x7fffffff,      // bytes between rows
    DEVICE_CUDA_VERSION = 13000, // what cudaRuntimeGetVersion() and cudaDriverGetVersion() say
};

// A kernel, by the address of its host stub.
struct kernel {
    const void *host;
    const char *name;
    struct binary *binary;
    const struct function *function; // NULL until its binary is loaded
    int registers;                   // a thread; then
    int registers_are_estimated;     // not from machine code for this device
    struct machine_code *machine;    // for this device, or NULL
    size_t dynamic_shared_limit;     // cudaFuncAttributeMaxDynamicSharedMemorySize
    int carveout;                    // cudaFuncAttributePreferredSharedMemoryCarveout, percent
    int is_told;                     // that it cannot be executed
    int is_dependent;                // its blocks met in memory once: they run one after the other
    struct kernel *next;
};

// A __device__ or __constant__ variable, by the address of its host shadow.
struct device_variable {
    const void *host;
    const char *name;
    struct binary *binary;
    void **managed; // where the host looks for its address, or NULL
    struct device_variable *next;
};

// The device code of one object file.
struct binary {
    const void *data;
    struct module *module; // NULL until something of it is needed
    cudaError_t error;     // why it cannot be loaded: the error, and in words
    char why[512];
    struct binary *next;
};

struct runtime {
    pthread_mutex_t lock;            // held by every function of the CUDA API
    int is_open;                     // device memory is there
    int is_configured;               // the environment was read
    const struct sim_device *device; // the GPU that is simulated
    const struct sm_limits *sm;      // of its compute capability
    int checks;
    int model; // whether launches are timed by it
    unsigned threads;
    uint64_t budget;
    cudaError_t last, sticky; // sticky: a kernel failed, and nothing works until a reset
    cudaError_t pending;      // a kernel failed, and the host has not waited for it yet
    struct binary *binaries;
    struct kernel *kernels;
    struct device_variable *variables;
    uint64_t launches;
    unsigned streams;      // that were created so far
    unsigned char *params; // device memory for a launch's parameters
    char
        report[FAULT_TEXT_SIZE]; // what is wrong with the last launch, or the last call that failed
    int leaves_reports;          // of a launch: they are not printed
    int is_told;                 // the report is of the call that is being made
    struct l2 *l2;               // of the device; NULL until the first launch
    sim_watcher *watcher;        // of the launches to come; or NULL
    void *watcher_context;
    struct stall_samples *stalls;     // likewise: what warps wait for; or NULL
    struct sim_prediction prediction; // of the launches since the counts were reset
    double clock_ms;                  // the device's: what it did so far took that long
    double event_ms;                  // the last event's
};

extern struct runtime runtime;

// Takes the lock and opens the device. Returns the error that an API call starts with: the sticky
// one, which a kernel's fault becomes here, or that there is no memory for the device. runtime_leave() gives the lock back and records
// the call's error.
cudaError_t runtime_enter(void);
cudaError_t runtime_leave(cudaError_t error);

// The kernel or variable of a host address, with its module loaded; NULL when there is none, with
// the error in *error. The lock is held.
struct kernel *find_kernel(const void *host, cudaError_t *error);
struct global *find_variable(const void *host, cudaError_t *error);

// The error of a call that was given what it cannot take, which is `error`; the printf-style format says in
// the report what that is. runtime_out_of_memory(): the host has not so many bytes for it.
__attribute__((format(printf, 2, 3))) cudaError_t runtime_refuse(cudaError_t error,
                                                                 const char *what, ...);
cudaError_t runtime_out_of_memory(const char *what, size_t bytes);

// What else to do where there is not enough memory: about this process's limit on addresses, where it has one; else
// `otherwise`.
const char *runtime_address_limit(const char *otherwise);
cudaError_t no_place(void); // for the result: a NULL

// Whether a stream is there: cudaSuccess, or refused. The lock is held.
cudaError_t check_stream(cudaStream_t stream);

// The number of a stream that is there: 0 for the default ones. The lock is held.
unsigned stream_number(cudaStream_t stream);

// Streams and events are no more. The lock is held.
void forget_handles(void);

// tracer.c: notes what was done since the clock stood at `start_ms`, if anybody wants to know. Its times and its
// range are filled in; `kernel` is the name that the compiler gave one, else NULL, and `why` the reason when there
// are no times, else "". The lock is held.
void trace_activity(struct activity activity, const char *kernel, double start_ms, const char *why);

// carveout.c: what the kernel's carve-out makes of an SM for such blocks: it has room for one at least. The lock is held.
struct sm_limits carved_sm(const struct kernel *kernel, unsigned threads, size_t shared);

// Bytes of an SM that are set aside as shared memory where so many such blocks run at a time: what the kernel asks for, or as
// few as hold them.
size_t carved_bytes(const struct kernel *kernel, unsigned threads, size_t shared,
                    unsigned resident);

// launch_counts.c: adds the counters of a launch that did not fail to the counts. The lock is held.
void counts_add(const struct launch *launch);
void counts_forget(void);

#endif
