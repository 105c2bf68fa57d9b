// What an object file tells the runtime before main(), and the loading of its code when it is
// first needed.
#include <stdio.h>
#include <stdlib.h>

#include "base/fatbin.h"
#include "base/loaded.h"
#include "sim/cuda/registration.h"
#include "sim/cuda/runtime.h"

static void *take(size_t size)
{
    void *taken = calloc(1, size);
    if (!taken) {
        fprintf(stderr, "simulated device: no memory left to register the program's kernels\n");
        exit(1); // before main() there is nobody to tell
    }
    return taken;
}

void **__cudaRegisterFatBinary(void *wrapper)
{
    const struct fatbin_wrapper *w = wrapper;
    struct binary *binary = take(sizeof *binary);
    if (w->magic == FATBIN_WRAPPER_MAGIC)
        binary->data = w->data;
    pthread_mutex_lock(&runtime.lock);
    binary->next = runtime.binaries;
    runtime.binaries = binary;
    pthread_mutex_unlock(&runtime.lock);
    return (void **)binary;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
    (void)handle;
}

// At exit: what other exit handlers may still want stays.
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int thread_limit, struct uint3 *tid, struct uint3 *bid,
                            struct dim3 *block, struct dim3 *grid, int *warp_size)
{
    (void)device, (void)thread_limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp_size;
    struct kernel *kernel = take(sizeof *kernel);
    *kernel = (struct kernel){.host = host,
                              .name = name,
                              .binary = (struct binary *)handle,
                              .dynamic_shared_limit = DEFAULT_SHARED_PER_BLOCK};
    pthread_mutex_lock(&runtime.lock);
    kernel->next = runtime.kernels;
    runtime.kernels = kernel;
    pthread_mutex_unlock(&runtime.lock);
}

static void register_variable(void **handle, const void *host, const char *name, void **managed)
{
    struct device_variable *variable = take(sizeof *variable);
    *variable = (struct device_variable){
        .host = host, .name = name, .binary = (struct binary *)handle, .managed = managed};
    pthread_mutex_lock(&runtime.lock);
    variable->next = runtime.variables;
    runtime.variables = variable;
    pthread_mutex_unlock(&runtime.lock);
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern,
                       size_t size, int is_constant, int is_global)
{
    (void)device, (void)is_extern, (void)size, (void)is_constant, (void)is_global;
    register_variable(handle, host, name, NULL);
}

void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                              int is_extern, size_t size, int is_constant, int is_global)
{
    (void)device, (void)is_extern, (void)size, (void)is_constant, (void)is_global;
    register_variable(handle, pointer, name, pointer);
}

static void *place_variable(size_t size, size_t alignment)
{
    void *place = device_allocate(size, alignment);
    if (place)
        device_mark_written(place, size); // zeros, or what the source says
    return place;
}

static void tell_managed(const struct binary *binary)
{
    for (const struct device_variable *v = runtime.variables; v; v = v->next) {
        const struct global *global =
            v->binary == binary && v->managed ? module_global(binary->module, v->name) : NULL;
        if (global)
            *v->managed = global->address;
    }
}

// Reads a binary's PTX. A failure is told once, on stderr: CUDA's error code cannot say what it is.
static int load(struct binary *binary, cudaError_t *error)
{
    char why[512];
    size_t size = 0;
    if (binary->module)
        return 1;
    *error = cudaErrorNoKernelImageForDevice;
    if (binary->is_broken)
        return 0;
    const char *ptx = binary->data ? fatbin_find_ptx(binary->data, loaded_size(binary->data),
                                                     ANY_ARCH, &size, why, sizeof why)
                                   : NULL;
    if (!binary->data)
        snprintf(why, sizeof why, "it is no fat binary of CUDA 9 or later");
    if (ptx) {
        *error = cudaErrorInvalidPtx;
        binary->module = module_load(ptx, size, place_variable, why, sizeof why);
    }
    binary->is_broken = !binary->module;
    if (binary->is_broken)
        fprintf(stderr, "simulated device: cannot load the program's device code: %s\n", why);
    else
        tell_managed(binary);
    return !binary->is_broken;
}

// Managed variables are there from now on; other code is loaded when it is first needed.
char __cudaInitModule(void **handle)
{
    struct binary *binary = (struct binary *)handle;
    cudaError_t error = runtime_enter();
    int has_managed = 0;
    for (struct device_variable *v = runtime.variables; v; v = v->next)
        has_managed |= v->binary == binary && v->managed;
    if (error == cudaSuccess && has_managed)
        load(binary, &error);
    runtime_leave(error);
    return 1;
}

// The machine code's word counts, where there is some for this device.
static void find_registers(struct kernel *kernel)
{
    const struct sim_device *device = runtime.device;
    int is_its_own, found = fatbin_find_registers(
                        kernel->binary->data, loaded_size(kernel->binary->data),
                        (unsigned)(10 * device->major + device->minor), kernel->name, &is_its_own);
    kernel->registers = found ? found : kernel->function->registers;
    kernel->registers_are_estimated = !is_its_own;
}

struct kernel *find_kernel(const void *host, cudaError_t *error)
{
    struct kernel *kernel = runtime.kernels;
    while (kernel && kernel->host != host)
        kernel = kernel->next;
    *error = cudaErrorInvalidDeviceFunction;
    if (!kernel || !load(kernel->binary, error))
        return NULL;
    if (!kernel->function) {
        kernel->function = module_function(kernel->binary->module, kernel->name);
        if (kernel->function)
            find_registers(kernel);
    }
    *error = cudaErrorInvalidDeviceFunction;
    return kernel->function && kernel->function->is_defined ? kernel : NULL;
}

struct global *find_variable(const void *host, cudaError_t *error)
{
    struct device_variable *variable = runtime.variables;
    while (variable && variable->host != host)
        variable = variable->next;
    *error = cudaErrorInvalidSymbol;
    if (!variable || !load(variable->binary, error))
        return NULL;
    *error = cudaErrorInvalidSymbol;
    return module_global(variable->binary->module, variable->name);
}

int sim_registers_are_estimated(const void *host)
{
    cudaError_t error = runtime_enter();
    const struct kernel *kernel = error == cudaSuccess ? find_kernel(host, &error) : NULL;
    int estimated = !kernel || kernel->registers_are_estimated;
    (void)runtime_leave(cudaSuccess);
    return estimated;
}
