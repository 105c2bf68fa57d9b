// What an object file tells the runtime before main().
#include <stdio.h>
#include <stdlib.h>

#include "base/fatbin.h"
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
                              .dynamic_shared_limit = DEFAULT_SHARED_PER_BLOCK,
                              .carveout = cudaSharedmemCarveoutDefault};
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
