// The loading of an object file's code when it is first needed: its PTX for the device, and what its machine code says.
#include <stdio.h>
#include <stdlib.h>

#include "base/cubin.h"
#include "base/fatbin.h"
#include "base/function_name.h"
#include "base/loaded_segment.h"
#include "sim/cuda/registration.h"
#include "sim/cuda/runtime.h"

// The oldest that the kit compiles its kernels for: simulated devices that are older execute what is for it.
enum { BASE_ARCH = 75 };

static void *place_variable(size_t size, size_t alignment)
{
    void *place = device_allocate(size, alignment, OWNED_BY_RUNTIME);
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

static unsigned device_arch(void)
{
    return (unsigned)(10 * runtime.device->major + runtime.device->minor);
}

// The PTX for the device, or where all is for newer GPUs the newest: what it says is what is executed.
static const char *find_ptx(struct binary *binary, size_t *size)
{
    size_t room = loaded_size(binary->data);
    unsigned arch = device_arch() < BASE_ARCH ? BASE_ARCH : device_arch();
    if (!binary->data)
        snprintf(binary->why, sizeof binary->why, "it is no fat binary of CUDA 9 or later");
    const char *ptx = binary->data ? fatbin_find_ptx(binary->data, room, arch, size, binary->why,
                                                     sizeof binary->why)
                                   : NULL;
    return ptx || !binary->data ? ptx
                                : fatbin_find_ptx(binary->data, room, ANY_ARCH, size, binary->why,
                                                  sizeof binary->why);
}

static void note_newer_target(const struct module *module, const char *name)
{
    unsigned target = module->target;
    if (target > BASE_ARCH && target > device_arch())
        fprintf(stderr,
                "simulated device: note: %s was compiled for compute capability %u.%u. It is "
                "executed, but a real %s (%d.%d) would not load it: compile it for that too.\n",
                name, target / 10, target % 10, runtime.device->full_name, runtime.device->major,
                runtime.device->minor);
}

// What cannot be executed is told once, on stderr, and is the report of every call that meets it: CUDA's error
// code cannot say what it is.
static void tell_unusable(const char *clear, const char *why, int is_told)
{
    runtime_refuse(cudaErrorInvalidPtx, "The code of %s cannot be loaded:\n=========     %s", clear,
                   why);
    if (!is_told)
        fprintf(stderr, "%s", runtime.report);
}

// Reads a binary's PTX, for what is needed of it. For want of memory it is tried again the next time.
static int load(struct binary *binary, const char *name, cudaError_t *error)
{
    size_t size = 0;
    int no_memory = 0, is_told = binary->error != cudaSuccess;
    char clear[FUNCTION_NAME_SIZE];
    if (binary->module)
        return 1;
    function_name(name, clear);
    if (!is_told) {
        const char *ptx = find_ptx(binary, &size);
        binary->module = ptx ? module_load(ptx, size, place_variable, binary->why,
                                           sizeof binary->why, &no_memory)
                             : NULL;
        if (binary->module) {
            note_newer_target(binary->module, clear);
            tell_managed(binary);
            return 1;
        }
        binary->error = no_memory ? cudaSuccess
                        : ptx     ? cudaErrorInvalidPtx
                                  : cudaErrorNoKernelImageForDevice;
    }
    *error = no_memory ? runtime_refuse(cudaErrorMemoryAllocation,
                                        "Out of memory for the code of %s: %s", clear, binary->why)
                       : binary->error;
    if (!no_memory)
        tell_unusable(clear, binary->why, is_told);
    return 0;
}

// Managed variables are there from now on; other code is loaded when it is first needed.
char __cudaInitModule(void **handle)
{
    struct binary *binary = (struct binary *)handle;
    cudaError_t error = runtime_enter();
    const char *name = NULL;
    for (struct device_variable *v = runtime.variables; v; v = v->next)
        if (v->binary == binary && v->managed)
            name = v->name;
    if (error == cudaSuccess && name)
        load(binary, name, &error);
    runtime_leave(error);
    return 1;
}

// The machine code's word counts, where there is some for this device.
static void find_registers(struct kernel *kernel)
{
    const void *data = kernel->binary->data;
    int is_its_own, found = fatbin_find_registers(data, loaded_size(data), device_arch(),
                                                  kernel->name, &is_its_own);
    kernel->registers = found ? found : kernel->function->registers;
    kernel->registers_are_estimated = !is_its_own;
}

// What of the machine code says how often it is executed, where there is some that was made of the PTX.
static void find_machine_code(struct kernel *kernel)
{
    const void *data = kernel->binary->data;
    size_t size = 0, code_size = 0, ptx_size = 0;
    const unsigned char *cubin =
        fatbin_find_cubin(data, loaded_size(data), device_arch(), kernel->name, &size);
    const unsigned char *code = cubin ? cubin_code(cubin, size, kernel->name, &code_size) : NULL;
    const char *ptx = code ? find_ptx(kernel->binary, &ptx_size) : NULL;
    if (!ptx || !cubin_is_of_ptx(cubin, size, ptx, ptx_size))
        return;
    size_t count = code_size / MACHINE_INSTRUCTION_SIZE;
    uint32_t *lines = calloc(count + 1, sizeof *lines);
    if (lines && cubin_ptx_lines(cubin, size, kernel->name, lines, count))
        kernel->machine =
            machine_code_read(code, code_size, runtime.device->major, lines, kernel->function);
    free(lines);
}

struct kernel *find_kernel(const void *host, cudaError_t *error)
{
    struct kernel *kernel = runtime.kernels;
    while (kernel && kernel->host != host)
        kernel = kernel->next;
    *error = cudaErrorInvalidDeviceFunction;
    if (!kernel || !load(kernel->binary, kernel->name, error))
        return NULL;
    if (!kernel->function) {
        kernel->function = module_function(kernel->binary->module, kernel->name);
        if (kernel->function)
            find_registers(kernel);
        if (kernel->function && kernel->function->is_defined && !kernel->function->why)
            find_machine_code(kernel);
    }
    *error = cudaErrorInvalidDeviceFunction;
    if (!kernel->function || !kernel->function->is_defined)
        return NULL;
    if (!kernel->function->why)
        return kernel;
    char clear[FUNCTION_NAME_SIZE];
    function_name(kernel->name, clear);
    tell_unusable(clear, kernel->function->why, kernel->is_told);
    kernel->is_told = 1;
    *error = cudaErrorInvalidPtx;
    return NULL;
}

struct global *find_variable(const void *host, cudaError_t *error)
{
    struct device_variable *variable = runtime.variables;
    while (variable && variable->host != host)
        variable = variable->next;
    *error = cudaErrorInvalidSymbol;
    if (!variable || !load(variable->binary, variable->name, error))
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
