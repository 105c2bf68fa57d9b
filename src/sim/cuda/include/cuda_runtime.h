// CUDA C for clang on a machine without NVIDIA's toolkit: what NVIDIA's header of the same name
// gives the kernels of a workshop. nvcc uses its own.
#ifndef CUDA_RUNTIME_H
#define CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))

// kernel<<<grid, block, shared, stream>>>(...): clang calls this before the kernel's stub.
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                                cudaStream_t stream = 0);

#include <__clang_cuda_builtin_vars.h>

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const
{
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const
{
    return uint3{x, y, z};
}
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const
{
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const
{
    return uint3{x, y, z};
}
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const
{
    return dim3(x, y, z);
}
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const
{
    return dim3(x, y, z);
}

#include "cuda_vectors.h"

#include "cuda_cache_hints.h"

#include "cuda_device_functions.h"

// The typed forms of the API's functions.
template <typename T>
cudaError_t cudaMalloc(T **pointer, size_t size)
{
    return cudaMalloc((void **)(void *)pointer, size);
}
template <typename T>
cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)(void *)pointer, size, flags);
}
template <typename T>
cudaError_t cudaMallocHost(T **pointer, size_t size)
{
    return cudaMallocHost((void **)(void *)pointer, size);
}
template <typename T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
template <typename T>
cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol)
{
    return cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <typename T>
cudaError_t cudaFuncSetAttribute(T *kernel, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)kernel, attribute, value);
}
template <typename T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *kernel)
{
    return cudaFuncGetAttributes(attributes, (const void *)kernel);
}
template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T kernel, int threads,
                                                          size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads,
                                                         shared);
}

#endif
