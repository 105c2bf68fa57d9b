// What a real GPU does: CUPTI's activity records, each with a start and an end on the GPU's clock that
// CUPTI has turned into the host's, and the shape of the launch.
//
// Which range of the program asked for it: a range's place is pushed as an external correlation ID, so
// that CUPTI writes a record of it before that of each runtime call; what the call sets going has the
// call's correlation ID.
//
// The records' types are those of CUDA 12: newer toolkits keep them and only append to them.
#include "cupti/errors.h"
#include "cupti/instruments.h"

#include <cuda_runtime_api.h>
#include <cupti_activity.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_SIZE = 1 << 20, BUFFER_ALIGNMENT = 8 };

static const CUpti_ActivityKind kinds[] = {
    CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, CUPTI_ACTIVITY_KIND_RUNTIME,
    CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET};
enum { KINDS = sizeof kinds / sizeof *kinds };

// A runtime call, and the range that it was made in.
struct call {
    uint32_t correlation;
    int range;
};

// CUPTI's callbacks are given nothing of ours, and come from threads of its own.
static struct {
    pthread_mutex_t lock; // held by the callbacks, and where they may come in between
    struct activities *into;
    uint32_t correlations[MAX_ACTIVITIES]; // of the activities, by their places
    struct call *calls;
    size_t call_count, call_capacity;
    uint64_t origin; // nanoseconds, CUPTI's
    bool has_range;  // a range's place is pushed: the main thread's alone
} tracing = {.lock = PTHREAD_MUTEX_INITIALIZER};

// The first call that failed where nobody could be told.
static struct {
    pthread_mutex_t lock;
    CUptiResult error;
    const char *call; // NULL: none did
} failure = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Whether the call went well; if not, stop() will tell.
static bool keep(CUptiResult error, const char *call)
{
    if (error == CUPTI_SUCCESS)
        return true;
    pthread_mutex_lock(&failure.lock);
    if (!failure.call) {
        failure.error = error;
        failure.call = call;
    }
    pthread_mutex_unlock(&failure.lock);
    return false;
}

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *size, size_t *most_records)
{
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_SIZE);
    *size = *buffer ? BUFFER_SIZE : 0; // without one, CUPTI counts what it drops
    *most_records = 0;                 // as many as there is room for
}

static void add_call(const CUpti_ActivityExternalCorrelation *record)
{
    if (record->externalKind != CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0)
        return;
    if (tracing.call_count == tracing.call_capacity) {
        size_t capacity = 2 * tracing.call_capacity + 1024;
        struct call *calls = realloc(tracing.calls, capacity * sizeof *calls);
        if (!calls) {
            (void)keep(CUPTI_ERROR_OUT_OF_MEMORY, "noting the runtime's calls");
            return;
        }
        tracing.calls = calls;
        tracing.call_capacity = capacity;
    }
    tracing.calls[tracing.call_count++] =
        (struct call){.correlation = record->correlationId, .range = (int)record->externalId};
}

// Adds one whose other fields are filled in.
static void add(struct activity activity, uint64_t start, uint64_t end, uint32_t correlation,
                const char *kernel)
{
    activity.range = -1;
    activity.timed = start == 0 && end == 0 ? UNAVAILABLE : MEASURED;
    if (activity.timed == MEASURED) {
        activity.start_ns = (double)(int64_t)(start - tracing.origin);
        activity.duration_ns = (double)(end - start);
    } else if (!*tracing.into->untimed) {
        snprintf(tracing.into->untimed, WHY_SIZE, "CUPTI could not read the GPU's clock for it");
    }
    int place = activities_add(tracing.into, &activity, kernel);
    if (place >= 0)
        tracing.correlations[place] = correlation;
}

static void add_kernel(const CUpti_ActivityKernel9 *record)
{
    add(
        (struct activity){
            .kind = ACTIVITY_KERNEL,
            .stream = record->streamId,
            .grid = {(unsigned)record->gridX, (unsigned)record->gridY, (unsigned)record->gridZ},
            .block = {(unsigned)record->blockX, (unsigned)record->blockY, (unsigned)record->blockZ},
            .registers = record->registersPerThread,
            .static_shared = (size_t)record->staticSharedMemory,
            .dynamic_shared = (size_t)record->dynamicSharedMemory},
        record->start, record->end, record->correlationId, record->name ? record->name : "?");
}

static void add_copy(const CUpti_ActivityMemcpy5 *record)
{
    enum copy_direction direction =
        record->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD   ? COPY_TO_DEVICE
        : record->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH ? COPY_TO_HOST
        : record->copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOD ? COPY_IN_DEVICE
                                                              : COPY_ELSEWHERE;
    add((struct activity){.kind = ACTIVITY_COPY,
                          .stream = record->streamId,
                          .direction = direction,
                          .bytes = record->bytes},
        record->start, record->end, record->correlationId, NULL);
}

static void add_fill(const CUpti_ActivityMemset4 *record)
{
    add((struct activity){.kind = ACTIVITY_FILL,
                          .stream = record->streamId,
                          .bytes = record->bytes},
        record->start, record->end, record->correlationId, NULL);
}

static void add_record(const CUpti_Activity *record)
{
    const void *bytes = record; // each kind has a type of its own, which starts with that kind
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION:
        add_call(bytes);
        break;
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        add_kernel(bytes);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY:
        add_copy(bytes);
        break;
    case CUPTI_ACTIVITY_KIND_MEMSET:
        add_fill(bytes);
        break;
    default: // a runtime call: only its correlation is of interest
        break;
    }
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                                 size_t valid)
{
    (void)size;
    pthread_mutex_lock(&tracing.lock);
    if (tracing.into && valid > 0) {
        CUpti_Activity *record = NULL;
        CUptiResult error;
        while ((error = cuptiActivityGetNextRecord(buffer, valid, &record)) == CUPTI_SUCCESS)
            add_record(record);
        if (error != CUPTI_ERROR_MAX_LIMIT_REACHED)
            (void)keep(error, "cuptiActivityGetNextRecord");
    }
    size_t dropped = 0;
    if (keep(cuptiActivityGetNumDroppedRecords(context, stream, &dropped),
             "cuptiActivityGetNumDroppedRecords") &&
        tracing.into)
        tracing.into->lost += dropped;
    pthread_mutex_unlock(&tracing.lock);
    free(buffer);
}

static bool start(struct activities *into, char *why, size_t why_size)
{
    tracing.into = into;
    if (!CUPTI_CALL(why, why_size, cuptiActivityRegisterCallbacks, give_buffer, take_buffer))
        return false;
    for (int i = 0; i < KINDS; i++)
        if (!CUPTI_CALL(why, why_size, cuptiActivityEnable, kinds[i]))
            return false;
    return CUPTI_CALL(why, why_size, cuptiGetTimestamp, &tracing.origin);
}

static void enter(int range)
{
    const CUpti_ExternalCorrelationKind kind = CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0;
    uint64_t last;
    if (tracing.has_range)
        (void)keep(cuptiActivityPopExternalCorrelationId(kind, &last),
                   "cuptiActivityPopExternalCorrelationId");
    tracing.has_range =
        range >= 0 && keep(cuptiActivityPushExternalCorrelationId(kind, (uint64_t)range),
                           "cuptiActivityPushExternalCorrelationId");
}

static double now(void)
{
    uint64_t now = tracing.origin;
    (void)keep(cuptiGetTimestamp(&now), "cuptiGetTimestamp");
    return (double)(int64_t)(now - tracing.origin);
}

static int compare(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    return (x->correlation > y->correlation) - (x->correlation < y->correlation);
}

// Gives each activity the range of the call that asked for it.
static void find_ranges(void)
{
    if (tracing.call_count == 0)
        return;
    qsort(tracing.calls, tracing.call_count, sizeof *tracing.calls, compare);
    for (int i = 0; i < tracing.into->count; i++) {
        struct call wanted = {.correlation = tracing.correlations[i]};
        const struct call *call =
            bsearch(&wanted, tracing.calls, tracing.call_count, sizeof *tracing.calls, compare);
        if (call)
            tracing.into->list[i].range = call->range;
    }
}

static bool stop(char *why, size_t why_size)
{
    (void)cudaDeviceSynchronize(); // an error stays with the runtime, for the caller
    (void)keep(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
    for (int i = 0; i < KINDS; i++)
        (void)keep(cuptiActivityDisable(kinds[i]), "cuptiActivityDisable");
    pthread_mutex_lock(&tracing.lock);
    find_ranges();
    activities_sort(tracing.into);
    tracing.into = NULL; // what CUPTI may still hand out comes too late
    free(tracing.calls);
    tracing.calls = NULL;
    pthread_mutex_unlock(&tracing.lock);
    pthread_mutex_lock(&failure.lock);
    bool good = !failure.call || cupti_ok(failure.error, failure.call, why, why_size);
    pthread_mutex_unlock(&failure.lock);
    return good;
}

const struct tracer cupti_tracer = {.start = start, .enter = enter, .now = now, .stop = stop};
