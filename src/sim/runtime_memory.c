// Device memory: allocation, copies and fills. Everything is done at once, so the asynchronous
// forms are the others with a stream that does not matter.
//
// The device's clock goes on by what the timing model says of copies and fills within the device; by
// the host's own time for copies between the two, whose bus nobody described.
#include <string.h>
#include <time.h>

#include "predict.h"
#include "runtime.h"

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && !devPtr)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) {
        *devPtr = size ? device_allocate(size, 512) : NULL;
        error = *devPtr || size == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
    }
    return runtime_leave(error);
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    enum { PITCH = 512 }; // what the hardware's texture units ask for
    if (!pitch || !devPtr || width > (size_t)-1 - PITCH)
        return cudaErrorInvalidValue;
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    if (height && *pitch > (size_t)-1 / height)
        return cudaErrorMemoryAllocation;
    return cudaMalloc(devPtr, *pitch * height);
}

cudaError_t cudaFree(void *devPtr)
{
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && devPtr && !device_free(devPtr))
        error = cudaErrorInvalidValue;
    return runtime_leave(error);
}

// Memory of the host that kernels may use too: it is device memory, and the host's writes to it
// cannot be seen, so all of it counts as written.
static cudaError_t allocate_for_host(void **pointer, size_t size)
{
    cudaError_t error = cudaMalloc(pointer, size);
    if (error == cudaSuccess && size)
        device_mark_written(*pointer, size);
    return error;
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return allocate_for_host(ptr, size);
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    (void)flags;
    return allocate_for_host(pHost, size);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    (void)flags;
    return allocate_for_host(devPtr, size);
}

cudaError_t cudaFreeHost(void *ptr)
{
    return cudaFree(ptr);
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    (void)flags;
    *pDevice = pHost;
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    (void)hStream;
    return cudaMalloc(devPtr, size);
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    (void)hStream;
    return cudaFree(devPtr);
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess) {
        *free = device_memory.capacity - device_memory.used;
        *total = device_memory.capacity;
    }
    return runtime_leave(error);
}

// Whether the bytes are device memory; 0 with an error when they only begin there.
static int is_device(const void *pointer, size_t size, cudaError_t *error)
{
    if (!device_reaches((uint64_t)(uintptr_t)pointer))
        return 0;
    if (!device_contains(pointer, size))
        *error = cudaErrorInvalidValue;
    return *error == cudaSuccess;
}

static double host_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static cudaError_t copy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    cudaError_t error = cudaSuccess;
    if (size == 0)
        return cudaSuccess;
    if (!to || !from)
        return cudaErrorInvalidValue;
    int to_device = is_device(to, size, &error), from_device = is_device(from, size, &error);
    if (error != cudaSuccess)
        return error;
    if ((kind == cudaMemcpyHostToDevice && !to_device) ||
        (kind == cudaMemcpyDeviceToHost && !from_device) ||
        (kind == cudaMemcpyDeviceToDevice && !(to_device && from_device)))
        return cudaErrorInvalidValue;
    double start = host_ms();
    memmove(to, from, size);
    runtime.clock_ms += !(to_device && from_device) ? host_ms() - start
                        : runtime.model             ? predict_copy_ms(runtime.device, size)
                                                    : 0;
    if (to_device && from_device)
        device_copy_marks(to, from, size);
    else if (to_device)
        device_mark_written(to, size);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    cudaError_t error = runtime_enter();
    return runtime_leave(error == cudaSuccess ? copy(dst, src, count, kind) : error);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy(dst, src, count, kind);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && (width > dpitch || width > spitch))
        error = cudaErrorInvalidPitchValue;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = copy((char *)dst + row * dpitch, (const char *)src + row * spitch, width, kind);
    return runtime_leave(error);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy2D(dst, dpitch, src, spitch, width, height, kind);
}

static cudaError_t fill(void *pointer, int value, size_t size)
{
    cudaError_t error = cudaSuccess;
    if (size == 0)
        return cudaSuccess;
    if (!is_device(pointer, size, &error))
        return cudaErrorInvalidValue;
    memset(pointer, value, size);
    device_mark_written(pointer, size);
    runtime.clock_ms += runtime.model ? predict_fill_ms(runtime.device, size) : 0;
    return cudaSuccess;
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    cudaError_t error = runtime_enter();
    return runtime_leave(error == cudaSuccess ? fill(devPtr, value, count) : error);
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    (void)stream;
    return cudaMemset(devPtr, value, count);
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && width > pitch)
        error = cudaErrorInvalidPitchValue;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = fill((char *)devPtr + row * pitch, value, width);
    return runtime_leave(error);
}

// Where `offset` in a variable is, if `count` bytes from there are part of it.
static cudaError_t locate(const void *symbol, size_t offset, size_t count, char **place)
{
    cudaError_t error = runtime_enter();
    struct global *global = error == cudaSuccess ? find_variable(symbol, &error) : NULL;
    if (!global)
        return error;
    if (offset > global->size || count > global->size - offset)
        return cudaErrorInvalidValue;
    *place = (char *)global->address + offset;
    return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    char *place = NULL;
    cudaError_t error = locate(symbol, offset, count, &place);
    return runtime_leave(error == cudaSuccess ? copy(place, src, count, kind) : error);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    char *place = NULL;
    cudaError_t error = locate(symbol, offset, count, &place);
    return runtime_leave(error == cudaSuccess ? copy(dst, place, count, kind) : error);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyToSymbol(symbol, src, count, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpyFromSymbol(dst, symbol, count, offset, kind);
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    char *place = NULL;
    cudaError_t error = locate(symbol, 0, 0, &place);
    *devPtr = place;
    return runtime_leave(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    cudaError_t error = runtime_enter();
    struct global *global = error == cudaSuccess ? find_variable(symbol, &error) : NULL;
    if (global) {
        *size = global->size;
        error = cudaSuccess;
    }
    return runtime_leave(error);
}
