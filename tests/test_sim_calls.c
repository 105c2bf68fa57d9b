// Calls of the runtime that a careless or hostile host makes: each is an error of CUDA's, and says what is
// wrong; none is undefined.
#include <stdint.h>

#include "ptx_kernel.h"
#include "sim/sim.h"
#include "suites.h"

PROGRAM(sim_calls)

// Expects the error, a report with these words, and that the next call is as good as any.
static void refused(cudaError_t error, cudaError_t expected, const char *words)
{
    ck_assert_msg(error == expected, "%s, not %s: %s", cudaGetErrorName(error),
                  cudaGetErrorName(expected), words);
    ck_assert_msg(strstr(sim_last_report(), words), "'%s' says nothing of '%s'", sim_last_report(),
                  words);
    ck_assert_int_eq(cudaGetLastError(), expected);
    SUCCEEDS(cudaDeviceSynchronize());
}

// What takes a stream, and what takes an event.
static cudaError_t with_stream(int call, cudaStream_t stream)
{
    static void *memory, *other;
    static struct ptx_kernel *kernel;
    static cudaEvent_t event;
    static char host[16];
    if (!kernel) {
        kernel = ptx_kernel("", "st.global.u32 [%out], %i;");
        SUCCEEDS(cudaMalloc(&memory, 64));
        SUCCEEDS(cudaEventCreate(&event));
    }
    void *arguments[] = {&memory, &memory};
    dim3 one = {1, 1, 1};
    switch (call) {
    case 0:
        return cudaLaunchKernel(kernel->address, one, one, arguments, 0, stream);
    case 1:
        return cudaMemcpyAsync(memory, host, 4, cudaMemcpyHostToDevice, stream);
    case 2:
        return cudaMemcpy2DAsync(memory, 8, host, 4, 4, 2, cudaMemcpyHostToDevice, stream);
    case 3:
        return cudaMemsetAsync(memory, 0, 4, stream);
    case 4:
        return cudaMallocAsync(&other, 4, stream);
    case 5:
        return cudaFreeAsync(other, stream);
    case 6:
        return cudaStreamSynchronize(stream);
    case 7:
        return cudaStreamQuery(stream);
    case 8:
        return cudaEventRecord(event, stream);
    case 9:
        return cudaStreamWaitEvent(stream, event, 0);
    default:
        return cudaStreamDestroy(stream);
    }
}
enum { STREAM_CALLS = 11 };

static cudaError_t with_event(int call, cudaEvent_t event)
{
    cudaEvent_t good;
    float ms;
    SUCCEEDS(cudaEventCreate(&good));
    SUCCEEDS(cudaEventRecord(good, 0));
    switch (call) {
    case 0:
        return cudaEventRecord(event, 0);
    case 1:
        return cudaEventElapsedTime(&ms, good, event);
    case 2:
        return cudaEventElapsedTime(&ms, event, good);
    case 3:
        return cudaEventSynchronize(event);
    case 4:
        return cudaEventQuery(event);
    case 5:
        return cudaStreamWaitEvent(0, event, 0);
    default:
        return cudaEventDestroy(event);
    }
}
enum { EVENT_CALLS = 7 };

TEST(a_destroyed_stream_is_none, .times = STREAM_CALLS)
{
    cudaStream_t stream, another;
    SUCCEEDS(cudaStreamCreate(&stream));
    SUCCEEDS(with_stream(_i, stream));
    if (_i < STREAM_CALLS - 1)
        SUCCEEDS(cudaStreamDestroy(stream));
    SUCCEEDS(cudaStreamCreate(&another)); // no handle comes back
    refused(with_stream(_i, stream), cudaErrorInvalidResourceHandle, "was destroyed");
    refused(with_stream(_i, (cudaStream_t)(uintptr_t)0xdeadbeef), cudaErrorInvalidResourceHandle,
            "none that was ever created");
    SUCCEEDS(cudaDeviceReset());
    ck_assert_int_eq(cudaStreamSynchronize(another), cudaErrorInvalidResourceHandle);
}

TEST(the_default_streams_are_there, .times = STREAM_CALLS)
{
    for (uintptr_t id = 0; id <= 2; id++)
        ck_assert_int_eq(with_stream(_i, (cudaStream_t)id),
                         _i < STREAM_CALLS - 1 ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

TEST(a_destroyed_event_is_none, .times = EVENT_CALLS)
{
    cudaEvent_t event;
    cudaStream_t stream;
    SUCCEEDS(cudaEventCreate(&event));
    SUCCEEDS(cudaEventRecord(event, 0));
    SUCCEEDS(with_event(_i, event));
    if (_i < EVENT_CALLS - 1)
        SUCCEEDS(cudaEventDestroy(event));
    refused(with_event(_i, event), cudaErrorInvalidResourceHandle, "was destroyed");
    refused(with_event(_i, NULL), cudaErrorInvalidResourceHandle, "none that was ever created");
    SUCCEEDS(cudaStreamCreate(&stream));
    refused(with_event(_i, (cudaEvent_t)(void *)stream), cudaErrorInvalidResourceHandle, "event");
}

TEST(streams_of_any_priority_are_alike)
{
    int least = -7, greatest = -7, can = -7;
    cudaStream_t stream;
    SUCCEEDS(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    SUCCEEDS(cudaDeviceGetStreamPriorityRange(NULL, NULL));
    ck_assert(least == 0 && greatest == 0);
    SUCCEEDS(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -5));
    SUCCEEDS(cudaStreamDestroy(stream));
    SUCCEEDS(cudaDeviceCanAccessPeer(&can, 0, 0));
    ck_assert_int_eq(can, 0);
    ck_assert_int_eq(cudaDeviceCanAccessPeer(&can, 0, 1), cudaErrorInvalidDevice);
}

TEST(an_event_without_time_has_none)
{
    cudaEvent_t timed, untimed;
    float ms;
    SUCCEEDS(cudaEventCreate(&timed));
    SUCCEEDS(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    refused(cudaEventElapsedTime(&ms, timed, timed), cudaErrorInvalidResourceHandle,
            "never recorded");
    SUCCEEDS(cudaEventRecord(timed, 0));
    SUCCEEDS(cudaEventRecord(untimed, 0));
    refused(cudaEventElapsedTime(&ms, timed, untimed), cudaErrorInvalidResourceHandle,
            "without timing");
    refused(cudaEventElapsedTime(NULL, timed, timed), cudaErrorInvalidValue, "NULL");
    refused(cudaEventCreateWithFlags(&timed, 99), cudaErrorInvalidValue, "0x63");
    refused(cudaStreamCreateWithFlags((cudaStream_t *)&timed, 99), cudaErrorInvalidValue, "0x63");
}

TEST(a_copy_goes_where_its_kind_says)
{
    char host[64] = {0};
    void *device;
    SUCCEEDS(cudaMalloc(&device, 64));
    refused(cudaMemcpy(device, host, 64, (enum cudaMemcpyKind)99), cudaErrorInvalidMemcpyDirection,
            "kind 99");
    refused(cudaMemcpy(device, host, 0, (enum cudaMemcpyKind)99), cudaErrorInvalidMemcpyDirection,
            "kind 99");
    refused(cudaMemcpy(device, host, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue,
            "from the host to the device");
    refused(cudaMemcpy(device, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue,
            "65 bytes");
    refused(cudaMemcpy(device, NULL, 4, cudaMemcpyDefault), cudaErrorInvalidValue, "4 bytes");
    refused(cudaMemcpy(host, host, SIZE_MAX, cudaMemcpyDefault), cudaErrorInvalidValue,
            "bytes from");
    refused(cudaMemset(host, 0, 4), cudaErrorInvalidValue, "no device memory");
    refused(cudaMemset(device, 0, SIZE_MAX), cudaErrorInvalidValue, "not in one allocation");
    // A negative pitch is a large one.
    refused(cudaMemcpy2D(device, (size_t)-8, host, 8, 4, 2, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue, "pitch");
    refused(cudaMemcpy2D(host, 8, device, (size_t)-8, 4, 2, cudaMemcpyDeviceToHost),
            cudaErrorInvalidPitchValue, "pitch");
    refused(cudaMemcpy2D(host, 8, host, 8, 4, SIZE_MAX, cudaMemcpyDefault), cudaErrorInvalidValue,
            "rows");
    refused(cudaMemset2D(device, (size_t)-8, 0, 4, 2), cudaErrorInvalidPitchValue, "pitch");
    SUCCEEDS(cudaMemcpy(device, (char *)device + 8, 32, cudaMemcpyDefault));
    SUCCEEDS(cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault));
    SUCCEEDS(cudaMemset(NULL, 0, 0));
}

TEST(memory_is_freed_once_and_by_its_own_call)
{
    static char host[64];
    void *device, *pinned, *managed, *none;
    size_t pitch;
    SUCCEEDS(cudaMalloc(&device, 64));
    SUCCEEDS(cudaMallocHost(&pinned, 64));
    SUCCEEDS(cudaMallocManaged(&managed, 64, cudaMemAttachGlobal));
    refused(cudaFree(host), cudaErrorInvalidValue, "no device memory");
    refused(cudaFree((char *)device + 4), cudaErrorInvalidValue, "not where its allocation begins");
    refused(cudaFree(pinned), cudaErrorInvalidValue, "cudaFreeHost()");
    refused(cudaFreeHost(device), cudaErrorInvalidValue, "cudaFree()");
    refused(cudaHostGetDevicePointer(&none, host, 0), cudaErrorInvalidValue, "cudaMallocHost()");
    SUCCEEDS(cudaFree(device));
    refused(cudaFree(device), cudaErrorInvalidValue, "freed already");
    SUCCEEDS(cudaFree(managed));
    SUCCEEDS(cudaFreeHost(pinned));
    SUCCEEDS(cudaFree(NULL));
    SUCCEEDS(cudaMalloc(&none, 0));
    ck_assert_ptr_null(none);
    refused(cudaMalloc(&none, SIZE_MAX), cudaErrorMemoryAllocation, "18446744073709551615 bytes");
    refused(cudaMallocPitch(&none, &pitch, 1000, SIZE_MAX / 8), cudaErrorMemoryAllocation,
            "Out of memory");
    refused(cudaMallocPitch(&none, &pitch, SIZE_MAX, 2), cudaErrorInvalidValue, "too wide");
}

TEST(a_result_needs_a_place)
{
    size_t size;
    void *pointer;
    static const char words[] = "NULL";
    refused(cudaMalloc(NULL, 4), cudaErrorInvalidValue, words);
    refused(cudaMallocHost(NULL, 4), cudaErrorInvalidValue, words);
    refused(cudaHostAlloc(NULL, 4, 0), cudaErrorInvalidValue, words);
    refused(cudaMallocManaged(NULL, 4, cudaMemAttachGlobal), cudaErrorInvalidValue, words);
    refused(cudaMallocAsync(NULL, 4, 0), cudaErrorInvalidValue, words);
    refused(cudaMallocPitch(NULL, &size, 4, 4), cudaErrorInvalidValue, words);
    refused(cudaMallocPitch(&pointer, NULL, 4, 4), cudaErrorInvalidValue, words);
    refused(cudaHostGetDevicePointer(NULL, NULL, 0), cudaErrorInvalidValue, words);
    refused(cudaMemGetInfo(NULL, &size), cudaErrorInvalidValue, words);
    refused(cudaStreamCreate(NULL), cudaErrorInvalidValue, words);
    refused(cudaEventCreate(NULL), cudaErrorInvalidValue, words);
    refused(cudaGetDeviceCount(NULL), cudaErrorInvalidValue, words);
    refused(cudaGetDevice(NULL), cudaErrorInvalidValue, words);
    refused(cudaDriverGetVersion(NULL), cudaErrorInvalidValue, words);
    refused(cudaRuntimeGetVersion(NULL), cudaErrorInvalidValue, words);
    refused(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue, words);
    refused(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue, words);
    ck_assert_int_eq(cudaGetSymbolAddress(NULL, NULL), cudaErrorInvalidSymbol);
    ck_assert_int_eq(cudaGetSymbolSize(NULL, NULL), cudaErrorInvalidSymbol);
    ck_assert_int_eq(cudaMemcpyToSymbol(NULL, NULL, 4, 0, cudaMemcpyHostToDevice),
                     cudaErrorInvalidSymbol);
    ck_assert_int_eq(cudaFuncGetAttributes(NULL, NULL), cudaErrorInvalidDeviceFunction);
    ck_assert_int_eq(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, NULL, 1, 0),
                     cudaErrorInvalidDeviceFunction);
}

TEST(a_launch_that_cannot_be_is_refused)
{
    const void *kernel = ptx_kernel("", "st.global.u32 [%out], %i;")->address;
    void *memory = NULL, *arguments[] = {&memory, &memory};
    static const struct {
        dim3 grid, block;
        size_t shared;
    } launches[] = {{{0, 1, 1}, {1, 1, 1}, 0},          {{1, 1, 1}, {0, 1, 1}, 0},
                    {{1, 1, 1}, {1025, 1, 1}, 0},       {{1, 1, 1}, {1, 1, 65}, 0},
                    {{1, 65536, 1}, {1, 1, 1}, 0},      {{0x80000000, 1, 1}, {1, 1, 1}, 0},
                    {{1, 1, 1}, {65536, 65536, 64}, 0}, {{1, 1, 1}, {1, 1, 1}, 49153},
                    {{1, 1, 1}, {1, 1, 1}, SIZE_MAX}};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        ck_assert_int_eq(cudaLaunchKernel(kernel, launches[i].grid, launches[i].block, arguments,
                                          launches[i].shared, 0),
                         cudaErrorInvalidConfiguration);
    dim3 one = {1, 1, 1};
    ck_assert_int_eq(cudaLaunchKernel(NULL, one, one, arguments, 0, 0),
                     cudaErrorInvalidDeviceFunction);
    ck_assert_int_eq(cudaLaunchKernel(&memory, one, one, arguments, 0, 0),
                     cudaErrorInvalidDeviceFunction);
    refused(cudaLaunchKernel(kernel, one, one, NULL, 0, 0), cudaErrorInvalidValue, "arguments");
}

// What is wrong with one call is not said of the next.
TEST(a_report_is_of_its_own_call)
{
    void *device;
    SUCCEEDS(cudaMalloc(&device, 64));
    refused(cudaFree(&device), cudaErrorInvalidValue, "no device memory");
    ck_assert_int_eq(cudaSetDevice(7), cudaErrorInvalidDevice);
    ck_assert_str_eq(sim_last_report(), "");
    ck_assert_int_eq(ptx_launch(ptx_kernel("", "trap;"), 1, 1, device, device),
                     cudaErrorLaunchFailure);
    ck_assert_int_eq(cudaFree(&device), cudaErrorLaunchFailure);
    ck_assert_ptr_nonnull(strstr(sim_last_report(), "Trap"));
}
