// Streams and events. Work is done when it is given, so a stream is always empty and an event has
// happened when it was recorded. Its time is the device's clock, which goes on by what the timing
// model says of each kernel, copy and fill: how long the host took for them does not show.
//
// A handle is a number that is given out once, and looked up before it is used: one that was destroyed, or
// made up, is an error like CUDA's.
#include <stdlib.h>

#include "sim/cuda/runtime.h"

enum handle_kind { STREAM, EVENT };

struct handle {
    enum handle_kind kind;
    uintptr_t id;
    unsigned number; // of a stream
    int is_recorded; // of an event; then
    int has_time;    // no cudaEventDisableTiming
    double ms;
    struct handle *next;
};

// CUDA gives the default streams the handles 0, 1 and 2.
enum { LAST_DEFAULT_STREAM = 2, FIRST_ID = 0x100, ID_STEP = 0x10 };

static struct handle *handles; // newest first
static uintptr_t next_id = FIRST_ID;

static cudaError_t create(enum handle_kind kind, void *place, struct handle **made)
{
    struct handle *handle = place ? calloc(1, sizeof *handle) : NULL;
    if (!place)
        return no_place();
    if (!handle)
        return runtime_out_of_memory("a stream or an event", sizeof *handle);
    *handle = (struct handle){.kind = kind, .id = next_id, .next = handles};
    next_id += ID_STEP;
    handles = *made = handle;
    return cudaSuccess;
}

// Where the list names a live one; the end of the list for any other, with the error in *error.
static struct handle **find(enum handle_kind kind, const void *wanted, cudaError_t *error)
{
    uintptr_t id = (uintptr_t)wanted;
    struct handle **link = &handles;
    while (*link && ((*link)->id != id || (*link)->kind != kind))
        link = &(*link)->next;
    int was_one = id >= FIRST_ID && id < next_id && id % ID_STEP == 0;
    if (!*link)
        *error = runtime_refuse(cudaErrorInvalidResourceHandle, "the %s %p %s",
                                kind == STREAM ? "stream" : "event", wanted,
                                was_one ? "was destroyed, or is no such thing"
                                        : "is none that was ever created");
    return link;
}

static cudaError_t destroy(enum handle_kind kind, const void *wanted)
{
    cudaError_t error = runtime_enter();
    struct handle **link = error == cudaSuccess ? find(kind, wanted, &error) : NULL;
    struct handle *handle = link ? *link : NULL;
    if (handle) {
        *link = handle->next;
        free(handle);
    }
    return runtime_leave(error);
}

void forget_handles(void)
{
    while (handles) {
        struct handle *next = handles->next;
        free(handles);
        handles = next;
    }
}

cudaError_t check_stream(cudaStream_t stream)
{
    cudaError_t error = cudaSuccess;
    if ((uintptr_t)stream > LAST_DEFAULT_STREAM)
        find(STREAM, stream, &error);
    return error;
}

unsigned stream_number(cudaStream_t stream)
{
    cudaError_t error;
    if ((uintptr_t)stream <= LAST_DEFAULT_STREAM)
        return 0;
    return (*find(STREAM, stream, &error))->number;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *pStream, unsigned int flags)
{
    struct handle *stream = NULL;
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && flags > cudaStreamNonBlocking)
        error = runtime_refuse(cudaErrorInvalidValue, "a stream has no flags %#x", flags);
    error = error ? error : create(STREAM, (void *)pStream, &stream);
    if (stream) {
        stream->number = ++runtime.streams;
        *pStream = (cudaStream_t)stream->id;
    }
    return runtime_leave(error);
}

cudaError_t cudaStreamCreate(cudaStream_t *pStream)
{
    return cudaStreamCreateWithFlags(pStream, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *pStream, unsigned int flags, int priority)
{
    (void)priority; // there is one alone
    return cudaStreamCreateWithFlags(pStream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return destroy(STREAM, stream);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t error = runtime_enter();
    return runtime_leave(error ? error : check_stream(stream));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return cudaStreamSynchronize(stream);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags)
{
    (void)flags;
    cudaError_t error = runtime_enter();
    error = error ? error : check_stream(stream);
    if (error == cudaSuccess)
        find(EVENT, event, &error);
    return runtime_leave(error);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void *userData)
{
    cudaError_t error = runtime_enter();
    error = error ? error : check_stream(stream);
    if (error == cudaSuccess && !fn)
        error = runtime_refuse(cudaErrorInvalidValue, "there is no function to call: NULL");
    error = runtime_leave(error);
    if (error == cudaSuccess)
        fn(userData); // outside the lock
    return error;
}

cudaError_t cudaDeviceSynchronize(void)
{
    return runtime_leave(runtime_enter());
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags)
{
    enum { INTERPROCESS = 4, ALL = cudaEventBlockingSync | cudaEventDisableTiming | INTERPROCESS };
    struct handle *made = NULL;
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess && flags & ~(unsigned)ALL)
        error = runtime_refuse(cudaErrorInvalidValue, "an event has no flags %#x", flags);
    error = error ? error : create(EVENT, (void *)event, &made);
    if (made) {
        made->has_time = !(flags & cudaEventDisableTiming);
        *event = (cudaEvent_t)made->id;
    }
    return runtime_leave(error);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return destroy(EVENT, event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    cudaError_t error = runtime_enter();
    error = error ? error : check_stream(stream);
    struct handle *recorded = error == cudaSuccess ? *find(EVENT, event, &error) : NULL;
    if (recorded) {
        // Two events with nothing between them that has a time are at the same one: the driver takes that for none.
        if (runtime.clock_ms > runtime.event_ms)
            runtime.clock_ms += runtime.device->timing.event_us * 1e-3;
        recorded->ms = runtime.event_ms = runtime.clock_ms;
        recorded->is_recorded = 1;
    }
    return runtime_leave(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    cudaError_t error = runtime_enter();
    if (error == cudaSuccess)
        find(EVENT, event, &error);
    return runtime_leave(error);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return cudaEventSynchronize(event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    cudaError_t error = runtime_enter();
    const struct handle *from = error == cudaSuccess ? *find(EVENT, start, &error) : NULL,
                        *to = error == cudaSuccess ? *find(EVENT, end, &error) : NULL;
    if (!from || !to)
        return runtime_leave(error);
    if (!ms)
        error = no_place();
    else if (!from->is_recorded || !to->is_recorded || !from->has_time || !to->has_time)
        error = runtime_refuse(cudaErrorInvalidResourceHandle,
                               "an event was never recorded, or was created without timing");
    else
        *ms = (float)(to->ms - from->ms);
    return runtime_leave(error);
}
