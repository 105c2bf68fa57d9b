// Kernels written as PTX text in a test, registered and launched like a compiler's.
#ifndef PTX_KERNEL_H
#define PTX_KERNEL_H

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fatbin.h"
#include "ptx_fatbin.h"
#include "sim/cuda/registration.h"

// A binary with one kernel, "kernel". `address` is what cudaLaunchKernel() takes.
struct ptx_kernel {
    struct fatbin_wrapper wrapper;
    const void *address;
};

// Registers a kernel of that body, with the parameters out and in (two pointers, %out and %in) and
// the thread's number %i (32 bits). It stays until the program ends.
static inline struct ptx_kernel *ptx_kernel(const char *declarations, const char *body)
{
    static const char frame[] =
        ".version 6.3\n.target sm_75\n.address_size 64\n%s\n"
        ".visible .entry kernel(.param .u64 p_out, .param .u64 p_in)\n{\n"
        ".reg .b64 %%out, %%in, %%offset;\n.reg .b32 %%i, %%block, %%size;\n"
        "ld.param.u64 %%out, [p_out];\nld.param.u64 %%in, [p_in];\n"
        "cvta.to.global.u64 %%out, %%out;\ncvta.to.global.u64 %%in, %%in;\n"
        "mov.u32 %%block, %%ctaid.x;\nmov.u32 %%size, %%ntid.x;\nmov.u32 %%i, %%tid.x;\n"
        "mad.lo.s32 %%i, %%block, %%size, %%i;\n%s\nret;\n}\n";
    struct ptx_kernel *kernel = calloc(1, sizeof *kernel);
    size_t size = sizeof frame + strlen(declarations) + strlen(body);
    char *text = malloc(size);
    if (!kernel || !text)
        abort();
    snprintf(text, size, frame, declarations, body);
    kernel->wrapper = (struct fatbin_wrapper){FATBIN_WRAPPER_MAGIC, 1, fatbin_of_ptx(text), NULL};
    free(text);
    kernel->address = kernel;
    void **handle = __cudaRegisterFatBinary(&kernel->wrapper);
    __cudaRegisterFunction(handle, (const char *)kernel->address, NULL, "kernel", -1, NULL, NULL,
                           NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    return kernel;
}

// Launches it; what goes wrong shows in the error of this or of the next call.
static inline cudaError_t ptx_launch(const struct ptx_kernel *kernel, unsigned blocks,
                                     unsigned threads, void *out, void *in)
{
    void *arguments[] = {&out, &in};
    dim3 grid = {blocks, 1, 1}, block = {threads, 1, 1};
    cudaError_t error = cudaLaunchKernel(kernel->address, grid, block, arguments, 0, 0);
    return error == cudaSuccess ? cudaDeviceSynchronize() : error;
}

#endif
