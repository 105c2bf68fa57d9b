// Device memory: allocation, copies and fills. Everything is done at once, so the asynchronous
// forms are the others with a stream that does not matter.
//
// The device's clock goes on by what the timing model says of copies and fills within the device; by
// the host's own time for copies between the two, whose bus nobody described.
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "sim/cuda/runtime.h"
#include "sim/ptx/align_up.h"
#include "sim/time/predict.h"

// The lock is held.
static cudaError_t allocate(void **pointer, size_t size, enum owner owner)
{
    if (!pointer)
        return no_place();
    *pointer = size ? device_allocate(size, 512, owner) : NULL;
    size_t left = device_memory.capacity - device_memory.used;
    if (!*pointer && size && size <= left)
        return runtime_out_of_memory("device memory", size);
    if (!*pointer && size)
        return runtime_refuse(
            cudaErrorMemoryAllocation,
            "Out of memory: %zu bytes were asked for, and the simulated device has "
            "%zu left of its share of this machine's memory. Take a smaller problem (-n)%s",
            size, left, runtime_address_limit(", or end other programs"));
    return cudaSuccess;
}

cudaError_t cudaMalloc(void **devPtr, size_t size)
{
    cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : allocate(devPtr, size, OWNED_AS_DEVICE_MEMORY));
}

cudaError_t cudaMallocPitch(void **devPtr, size_t *pitch, size_t width, size_t height)
{
    enum { PITCH = 512 }; // what the hardware's texture units ask for
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && !pitch)
        error = no_place();
    if (error == cudaSuccess && width > MAX_PITCH - PITCH)
        error = runtime_refuse(cudaErrorInvalidValue, "rows of %zu bytes are too wide", width);
    if (error != cudaSuccess)
        return runtime_leave(error);
    *pitch = align_up(width, PITCH);
    size_t size = *pitch && height > (size_t)-1 / *pitch ? (size_t)-1 : *pitch * height;
    return runtime_leave(allocate(devPtr, size, OWNED_AS_DEVICE_MEMORY));
}

static cudaError_t release(void *pointer, enum owner owner)
{
    cudaError_t error = runtime_enter();
    if (error != cudaSuccess || !pointer || device_free(pointer, owner))
        return runtime_leave(error);
    const struct allocation *a = device_allocation(pointer);
    const char *why = !device_reaches((uint64_t)(uintptr_t)pointer) ? "is no device memory"
                      : !a ? "is not allocated, or was freed already"
                      : a->address != (uint64_t)(uintptr_t)pointer
                          ? "is not where its allocation begins"
                      : a->owner == OWNED_BY_RUNTIME  ? "is a variable of the program"
                      : owner == OWNED_AS_HOST_MEMORY ? "is freed by cudaFree()"
                                                      : "is freed by cudaFreeHost()";
    return runtime_leave(
        runtime_refuse(cudaErrorInvalidValue, "what is to be freed, %p, %s", pointer, why));
}

cudaError_t cudaFree(void *devPtr)
{
    return release(devPtr, OWNED_AS_DEVICE_MEMORY);
}

// Memory of the host that kernels may use too: it is device memory, and the host's writes to it
// cannot be seen, so all of it counts as written.
static cudaError_t allocate_for_host(void **pointer, size_t size, enum owner owner)
{
    cudaError_t error = runtime_enter();
    error = error ? error : allocate(pointer, size, owner);
    if (error == cudaSuccess && size)
        device_mark_written(*pointer, size);
    return runtime_leave(error);
}

cudaError_t cudaMallocHost(void **ptr, size_t size)
{
    return allocate_for_host(ptr, size, OWNED_AS_HOST_MEMORY);
}

cudaError_t cudaHostAlloc(void **pHost, size_t size, unsigned int flags)
{
    (void)flags;
    return allocate_for_host(pHost, size, OWNED_AS_HOST_MEMORY);
}

cudaError_t cudaMallocManaged(void **devPtr, size_t size, unsigned int flags)
{
    (void)flags;
    return allocate_for_host(devPtr, size, OWNED_AS_DEVICE_MEMORY);
}

cudaError_t cudaFreeHost(void *ptr)
{
    return release(ptr, OWNED_AS_HOST_MEMORY);
}

cudaError_t cudaHostGetDevicePointer(void **pDevice, void *pHost, unsigned int flags)
{
    (void)flags;
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && !pDevice)
        error = no_place();
    if (error == cudaSuccess && !device_allocation(pHost))
        error =
            runtime_refuse(cudaErrorInvalidValue,
                           "%p is no memory that cudaMallocHost() or cudaHostAlloc() gave", pHost);
    if (error == cudaSuccess)
        *pDevice = pHost;
    return runtime_leave(error);
}

cudaError_t cudaMallocAsync(void **devPtr, size_t size, cudaStream_t hStream)
{
    cudaError_t error = cudaStreamSynchronize(hStream);
    return error == cudaSuccess ? cudaMalloc(devPtr, size) : error;
}

cudaError_t cudaFreeAsync(void *devPtr, cudaStream_t hStream)
{
    cudaError_t error = cudaStreamSynchronize(hStream);
    return error == cudaSuccess ? cudaFree(devPtr) : error;
}

cudaError_t cudaMemGetInfo(size_t *free, size_t *total)
{
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && (!free || !total))
        error = no_place();
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
        *error = runtime_refuse(cudaErrorInvalidValue,
                                "%zu bytes from %p are not in one allocation, or it was freed",
                                size, pointer);
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
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
        return runtime_refuse(cudaErrorInvalidMemcpyDirection, "no copy is of kind %d", (int)kind);
    if (size == 0)
        return cudaSuccess;
    if (!to || !from || size > PTRDIFF_MAX)
        return runtime_refuse(cudaErrorInvalidValue, "a copy of %zu bytes from %p to %p", size,
                              from, to);
    int to_device = is_device(to, size, &error), from_device = is_device(from, size, &error);
    if (error != cudaSuccess)
        return error;
    if ((kind == cudaMemcpyHostToDevice && !to_device) ||
        (kind == cudaMemcpyDeviceToHost && !from_device) ||
        (kind == cudaMemcpyDeviceToDevice && !(to_device && from_device)))
        return runtime_refuse(cudaErrorInvalidValue,
                              "the copy's kind does not fit: it is from the %s to the %s",
                              from_device ? "device" : "host", to_device ? "device" : "host");
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

static enum copy_direction direction_of(int to_device, int from_device)
{
    return to_device && from_device ? COPY_IN_DEVICE
           : to_device              ? COPY_TO_DEVICE
           : from_device            ? COPY_TO_HOST
                                    : COPY_ELSEWHERE;
}

// Notes a copy of `bytes` bytes that has been made.
static void trace_copy(const void *to, const void *from, size_t bytes, cudaStream_t stream,
                       double start_ms)
{
    enum copy_direction direction = direction_of(device_reaches((uint64_t)(uintptr_t)to),
                                                 device_reaches((uint64_t)(uintptr_t)from));
    struct activity activity = {.kind = ACTIVITY_COPY,
                                .timed = direction == COPY_IN_DEVICE ? MODELLED : MEASURED,
                                .stream = stream_number(stream),
                                .direction = direction,
                                .bytes = bytes};
    if (bytes > 0)
        trace_activity(activity, NULL, start_ms, "");
}

static cudaError_t copy_and_trace(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                                  cudaStream_t stream)
{
    double start_ms = runtime.clock_ms;
    cudaError_t error = check_stream(stream);
    error = error ? error : copy(to, from, size, kind);
    if (error == cudaSuccess)
        trace_copy(to, from, size, stream, start_ms);
    return error;
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : copy_and_trace(dst, src, count, kind, stream));
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind)
{
    return cudaMemcpyAsync(dst, src, count, kind, NULL);
}

// Rows that lie so far apart, and all of them within what addresses reach.
static cudaError_t check_rows(size_t pitch, size_t width, size_t height)
{
    if (width > pitch || pitch > MAX_PITCH)
        return runtime_refuse(cudaErrorInvalidPitchValue, "rows of %zu bytes have no pitch of %zu",
                              width, pitch);
    if (pitch && height > PTRDIFF_MAX / pitch)
        return runtime_refuse(cudaErrorInvalidValue, "%zu rows of %zu bytes", height, pitch);
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    cudaError_t error = runtime_enter();
    error = error ? error : check_stream(stream);
    error = error ? error : check_rows(dpitch, width, height);
    error = error ? error : check_rows(spitch, width, height);
    double start_ms = runtime.clock_ms;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = copy((char *)dst + row * dpitch, (const char *)src + row * spitch, width, kind);
    if (error == cudaSuccess)
        trace_copy(dst, src, width * height, stream, start_ms);
    return runtime_leave(error);
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind)
{
    return cudaMemcpy2DAsync(dst, dpitch, src, spitch, width, height, kind, NULL);
}

static cudaError_t fill(void *pointer, int value, size_t size)
{
    cudaError_t error = cudaSuccess;
    if (size == 0)
        return cudaSuccess;
    if (!is_device(pointer, size, &error))
        return error != cudaSuccess
                   ? error
                   : runtime_refuse(cudaErrorInvalidValue,
                                    "what is to be filled, %p, is no device memory", pointer);
    memset(pointer, value, size);
    device_mark_written(pointer, size);
    runtime.clock_ms += runtime.model ? predict_fill_ms(runtime.device, size) : 0;
    return cudaSuccess;
}

// Notes a fill of `bytes` bytes that has been made.
static void trace_fill(size_t bytes, cudaStream_t stream, double start_ms)
{
    struct activity activity = {.kind = ACTIVITY_FILL,
                                .timed = MODELLED,
                                .stream = stream_number(stream),
                                .direction = COPY_TO_DEVICE,
                                .bytes = bytes};
    if (bytes > 0)
        trace_activity(activity, NULL, start_ms, "");
}

cudaError_t cudaMemsetAsync(void *devPtr, int value, size_t count, cudaStream_t stream)
{
    cudaError_t error = runtime_enter();
    double start_ms = runtime.clock_ms;
    error = error ? error : check_stream(stream);
    error = error ? error : fill(devPtr, value, count);
    if (error == cudaSuccess)
        trace_fill(count, stream, start_ms);
    return runtime_leave(error);
}

cudaError_t cudaMemset(void *devPtr, int value, size_t count)
{
    return cudaMemsetAsync(devPtr, value, count, NULL);
}

cudaError_t cudaMemset2D(void *devPtr, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t error = runtime_enter();
    error = error ? error : check_rows(pitch, width, height);
    double start_ms = runtime.clock_ms;
    for (size_t row = 0; row < height && error == cudaSuccess; row++)
        error = fill((char *)devPtr + row * pitch, value, width);
    if (error == cudaSuccess)
        trace_fill(width * height, NULL, start_ms);
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
        return runtime_refuse(cudaErrorInvalidValue,
                              "%zu bytes at byte %zu are not in the variable %s of %zu bytes",
                              count, offset, global->name, (size_t)global->size);
    *place = (char *)global->address + offset;
    return cudaSuccess;
}

// A variable is copied to, or from, by that kind of copy or by one that leaves it open.
static cudaError_t check_direction(enum cudaMemcpyKind kind, enum cudaMemcpyKind fitting)
{
    if (kind == fitting || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault)
        return cudaSuccess;
    return runtime_refuse(cudaErrorInvalidMemcpyDirection, "no copy %s a variable is of kind %d",
                          fitting == cudaMemcpyHostToDevice ? "to" : "from", (int)kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *src, size_t count,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    char *place = NULL;
    cudaError_t error = locate(symbol, offset, count, &place);
    error = error ? error : check_direction(kind, cudaMemcpyHostToDevice);
    error = error ? error : copy_and_trace(place, src, count, kind, stream);
    return runtime_leave(error);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t count, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    char *place = NULL;
    cudaError_t error = locate(symbol, offset, count, &place);
    error = error ? error : check_direction(kind, cudaMemcpyDeviceToHost);
    error = error ? error : copy_and_trace(dst, place, count, kind, stream);
    return runtime_leave(error);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *src, size_t count, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return cudaMemcpyToSymbolAsync(symbol, src, count, offset, kind, NULL);
}

cudaError_t cudaMemcpyFromSymbol(void *dst, const void *symbol, size_t count, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return cudaMemcpyFromSymbolAsync(dst, symbol, count, offset, kind, NULL);
}

cudaError_t cudaGetSymbolAddress(void **devPtr, const void *symbol)
{
    char *place = NULL;
    cudaError_t error = locate(symbol, 0, 0, &place);
    if (error == cudaSuccess && !devPtr)
        error = no_place();
    if (error == cudaSuccess)
        *devPtr = place;
    return runtime_leave(error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    cudaError_t error = runtime_enter();
    struct global *global = error == cudaSuccess ? find_variable(symbol, &error) : NULL;
    if (!global)
        return runtime_leave(error);
    if (!size)
        return runtime_leave(no_place());
    *size = global->size;
    return runtime_leave(cudaSuccess);
}
