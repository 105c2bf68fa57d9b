#include "cupti/registered_kernels.h"

#include "base/fatbin.h"

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdlib.h>

struct binary {
    void **handle; // the runtime's
    const void *code;
    const char *variable;
    struct binary *next;
};

struct kernel {
    const void *stub;
    const char *name;
    const struct binary *binary;
    struct kernel *next;
};

static struct binary *binaries;
static struct kernel *kernels;

bool registered_kernels_find(const void *stub, struct registered_kernel *found)
{
    const struct kernel *kernel = kernels;
    while (kernel && kernel->stub != stub)
        kernel = kernel->next;
    if (kernel)
        *found = (struct registered_kernel){
            .name = kernel->name,
            .code = kernel->binary->code,
            .variable = kernel->binary->variable,
        };
    return kernel;
}

// ld --wrap makes the first of these names the callee of every registration, and gives the runtime's own
// function the second. Their signatures are those of CUDA's crt/host_runtime.h, which C cannot include.
void **__wrap___cudaRegisterFatBinary(void *wrapper);
void **__real___cudaRegisterFatBinary(void *wrapper);
void __wrap___cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name,
                                   int thread_limit, struct uint3 *tid, struct uint3 *bid,
                                   struct dim3 *block, struct dim3 *grid, int *warp_size);
void __real___cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name,
                                   int thread_limit, struct uint3 *tid, struct uint3 *bid,
                                   struct dim3 *block, struct dim3 *grid, int *warp_size);
void __wrap___cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                              int is_extern, size_t size, int is_constant, int is_global);
void __real___cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                              int is_extern, size_t size, int is_constant, int is_global);
void __wrap___cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                                     int is_extern, size_t size, int is_constant, int is_global);
void __real___cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                                     int is_extern, size_t size, int is_constant, int is_global);

// What there is no memory for is not found later: before main() there is nobody to tell.
void **__wrap___cudaRegisterFatBinary(void *wrapper)
{
    const struct fatbin_wrapper *w = wrapper;
    void **handle = __real___cudaRegisterFatBinary(wrapper);
    struct binary *binary = malloc(sizeof *binary);
    if (binary && w->magic == FATBIN_WRAPPER_MAGIC) {
        *binary = (struct binary){.handle = handle, .code = w->data, .next = binaries};
        binaries = binary;
    } else {
        free(binary);
    }
    return handle;
}

static struct binary *binary_of(void **handle)
{
    struct binary *binary = binaries;
    while (binary && binary->handle != handle)
        binary = binary->next;
    return binary;
}

void __wrap___cudaRegisterFunction(void **handle, const char *stub, char *device, const char *name,
                                   int thread_limit, struct uint3 *tid, struct uint3 *bid,
                                   struct dim3 *block, struct dim3 *grid, int *warp_size)
{
    const struct binary *binary = binary_of(handle);
    struct kernel *kernel = binary ? malloc(sizeof *kernel) : NULL;
    if (kernel) {
        *kernel = (struct kernel){.stub = stub, .name = name, .binary = binary, .next = kernels};
        kernels = kernel;
    }
    __real___cudaRegisterFunction(handle, stub, device, name, thread_limit, tid, bid, block, grid,
                                  warp_size);
}

static void note_variable(void **handle, const char *name)
{
    struct binary *binary = binary_of(handle);
    if (binary)
        binary->variable = name;
}

void __wrap___cudaRegisterVar(void **handle, char *host, char *device, const char *name,
                              int is_extern, size_t size, int is_constant, int is_global)
{
    note_variable(handle, name);
    __real___cudaRegisterVar(handle, host, device, name, is_extern, size, is_constant, is_global);
}

void __wrap___cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                                     int is_extern, size_t size, int is_constant, int is_global)
{
    note_variable(handle, name);
    __real___cudaRegisterManagedVar(handle, pointer, device, name, is_extern, size, is_constant,
                                    is_global);
}
