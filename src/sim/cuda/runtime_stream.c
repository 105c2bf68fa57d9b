// Streams and events. Work is done when it is given, so a stream is always empty and an event has
// happened when it was recorded. Its time is the device's clock, which goes on by what the timing
// model says of each kernel, copy and fill: how long the host took for them does not show.
#include <stdlib.h>

#include "sim/cuda/runtime.h"

struct CUstream_st {
    unsigned flags, number;
};

struct CUevent_st {
    int is_recorded;
    double ms;
};

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    cudaError_t error = runtime_enter();
    if (error != cudaSuccess)
        return runtime_leave(error);
    *pStream = calloc(1, sizeof **pStream);
    if (*pStream)
        **pStream = (struct CUstream_st){.flags = flags, .number = ++runtime.streams};
    return runtime_leave(*pStream ? cudaSuccess : cudaErrorMemoryAllocation);
}

// CUDA gives the default streams the handles 0, 1 and 2.
unsigned stream_number(cudaStream_t stream)
{
    return (uintptr_t)stream <= 2 ? 0 : stream->number;
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return cudaStreamCreateWithFlags(pStream, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return runtime_leave(runtime_enter());
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return runtime_leave(runtime_enter());
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)event, (void)flags;
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    cudaError_t error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess && !fn)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess)
        fn(userData);
    return runtime_leave(error);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return runtime_leave(runtime_enter());
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    (void)flags;
    cudaError_t error = runtime_enter();
    if (error != cudaSuccess)
        return runtime_leave(error);
    *event = calloc(1, sizeof **event);
    return runtime_leave(*event ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return runtime_leave(runtime_enter());
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    cudaError_t error = runtime_enter();
    if (!event)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess) {
        event->ms = runtime.clock_ms;
        event->is_recorded = 1;
    }
    return runtime_leave(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = runtime_enter();
    return runtime_leave(event ? error : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    cudaError_t error = runtime_enter();
    if (!start || !end || !start->is_recorded || !end->is_recorded)
        error = cudaErrorInvalidResourceHandle;
    if (error == cudaSuccess)
        *ms = (float)(end->ms - start->ms);
    return runtime_leave(error);
}
