// The entry points that nvcc's and clang's objects call before main() and around a launch. Their
// signatures are those of CUDA's crt/host_runtime.h, which C cannot include.
#ifndef SIM_REGISTRATION_H
#define SIM_REGISTRATION_H

#include <cuda_runtime_api.h>

// A binary's code: `wrapper` is a struct fatbin_wrapper, which lives as long as the program. The
// handle stands for it in what follows.
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
char __cudaInitModule(void **handle);

// A kernel's host stub and its name in the PTX; a variable's host shadow and its name.
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int thread_limit, struct uint3 *tid, struct uint3 *bid,
                            struct dim3 *block, struct dim3 *grid, int *warp_size);
void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int is_extern,
                       size_t size, int is_constant, int is_global);

// A __managed__ variable: the host's code uses it through *pointer, and calls __cudaInitModule()
// before it does.
void __cudaRegisterManagedVar(void **handle, void **pointer, char *device, const char *name,
                              int is_extern, size_t size, int is_constant, int is_global);

// kernel<<<grid, block, shared, stream>>>: the caller pushes, the kernel's stub pops.
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t shared,
                                     struct CUstream_st *stream);
cudaError_t __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *shared,
                                       void *stream);

// The same for objects built without __NV_LEGACY_LAUNCH: the handle stands for the kernel.
cudaError_t __cudaGetKernel(void **handle, const void *host);
cudaError_t __cudaLaunchKernel(void *handle, struct dim3 grid, struct dim3 block, void **args,
                               size_t shared, struct CUstream_st *stream);

#endif
