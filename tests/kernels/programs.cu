// A program of its own, as a course's single files are: several kernels, templates, device
// variables, dynamic shared memory, and patterns of synchronisation that are all correct. Each
// test returns 0 when the device computed what the host expects.
#include <assert.h>
#include <cuda_runtime.h>

#include "programs.h"

__constant__ float weights[4];
__constant__ int primes[5] = {2, 3, 5, 7, 11};
__device__ int visits;
__device__ unsigned histogram_bins[16];
__device__ float scale = 2.5f;

enum { N = 1000, THREADS = 128, BLOCKS = (N + THREADS - 1) / THREADS };

// Device memory, what place i of it begins with, and what the host expects there.
template <typename T>
struct array {
    enum { MOST = 1 << 18 };
    T *device;
    int count;
    explicit array(int n) : count(n)
    {
        cudaMalloc(&device, n * sizeof(T));
    }
    template <typename F>
    array(int n, F first) : array(n)
    {
        static T host[MOST];
        for (int i = 0; i < n; i++)
            host[i] = first(i);
        cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~array()
    {
        cudaFree(device);
    }
    void read(T *host)
    {
        cudaMemcpy(host, device, count * sizeof(T), cudaMemcpyDeviceToHost);
    }
    // What a test returns.
    template <typename F>
    int judge(F expected)
    {
        static T host[MOST];
        read(host);
        for (int i = 0; i < count; i++)
            if (host[i] != (T)expected(i))
                return 1;
        return cudaGetLastError();
    }
};

static int zero(int)
{
    return 0;
}

__global__ void weigh(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = weights[i % 4] * scale + primes[i % 5];
}

static int test_variables()
{
    static const float host[4] = {1, 2, 3, 4};
    static const int prime[5] = {2, 3, 5, 7, 11};
    float factor = 0;
    array<float> out(N);
    if (cudaMemcpyToSymbol(weights, host, sizeof host) != cudaSuccess ||
        cudaMemcpyFromSymbol(&factor, scale, sizeof factor) != cudaSuccess || factor != 2.5f)
        return 2;
    weigh<<<BLOCKS, THREADS>>>(out.device, N);
    return out.judge([](int i) { return host[i % 4] * 2.5f + prime[i % 5]; });
}

__global__ void reverse(float *data, int n)
{
    extern __shared__ float line[];
    line[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = line[n - 1 - threadIdx.x];
}

static int test_dynamic_shared()
{
    array<float> data(200, [](int i) { return i; });
    reverse<<<1, 200, 200 * sizeof(float)>>>(data.device, 200);
    return data.judge([](int i) { return 199 - i; });
}

// Shared atomics between two barriers, then global ones.
__global__ void histogram(const int *values, int n)
{
    __shared__ unsigned bins[16];
    if (threadIdx.x < 16)
        bins[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[values[i] & 15], 1u);
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(&histogram_bins[threadIdx.x], bins[threadIdx.x]);
}

static int test_histogram()
{
    unsigned bins[16], expected[16] = {0}, zeros[16] = {0};
    array<int> values(N, [&](int i) {
        expected[i * i % 37 & 15]++;
        return i * i % 37;
    });
    cudaMemcpyToSymbol(histogram_bins, zeros, sizeof zeros);
    histogram<<<BLOCKS, THREADS>>>(values.device, N);
    cudaMemcpyFromSymbol(bins, histogram_bins, sizeof bins);
    for (int i = 0; i < 16; i++)
        if (bins[i] != expected[i])
            return 1;
    return cudaGetLastError();
}

__device__ float warp_sum(float value)
{
    for (int distance = 16; distance; distance /= 2)
        value += __shfl_down_sync(0xffffffff, value, distance);
    return value;
}

// The last block to finish adds up what the others left, behind a fence.
__global__ void sum_by_last_block(const float *in, volatile float *partial, unsigned *done,
                                  float *out, int n)
{
    __shared__ float of_warp[THREADS / 32];
    __shared__ bool is_last;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = warp_sum(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float total = 0;
        for (int w = 0; w < THREADS / 32; w++)
            total += of_warp[w];
        partial[blockIdx.x] = total;
        __threadfence();
        is_last = atomicInc(done, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            total += partial[b];
        *out = total;
    }
}

static int test_last_block()
{
    float expected = 0;
    array<float> in(N, [&](int i) {
        expected += i % 7;
        return i % 7;
    });
    array<float> partial(BLOCKS), out(1);
    array<unsigned> done(1, zero);
    sum_by_last_block<<<BLOCKS, THREADS>>>(in.device, partial.device, done.device, out.device, N);
    return out.judge([&](int) { return expected; });
}

// A warp's lanes hand data to each other through shared memory, with __syncwarp().
__global__ void warp_scan(int *data)
{
    __shared__ int line[THREADS];
    int lane = threadIdx.x % 32, value = data[threadIdx.x];
    line[threadIdx.x] = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        __syncwarp();
        int other = lane >= distance ? line[threadIdx.x - distance] : 0;
        __syncwarp();
        line[threadIdx.x] = value += other;
    }
    data[threadIdx.x] = value;
}

static int test_syncwarp()
{
    int sum = 0;
    array<int> data(THREADS, [](int i) { return i % 5; });
    warp_scan<<<1, THREADS>>>(data.device);
    return data.judge([&](int i) { return sum = i % 5 + (i % 32 ? sum : 0); });
}

// A histogram for each warp, which no other warp touches: __syncwarp() is all it needs.
__global__ void histogram_of_warps(const int *values, int *counts)
{
    __shared__ int bins[THREADS];
    int *mine = bins + threadIdx.x / 32 * 32, lane = threadIdx.x % 32;
    mine[lane] = 0;
    __syncwarp();
    atomicAdd(&mine[values[threadIdx.x]], 1);
    __syncwarp();
    atomicAdd(&mine[lane], mine[lane] > 0);
    __syncwarp();
    counts[threadIdx.x] = mine[31 - lane];
}

static int test_histogram_of_warps()
{
    int expected[THREADS] = {0};
    array<int> values(THREADS, [&](int i) {
        expected[i / 32 * 32 + 31 - i % 7]++;
        return i % 7;
    });
    array<int> counts(THREADS);
    histogram_of_warps<<<1, THREADS>>>(values.device, counts.device);
    return counts.judge([&](int i) { return expected[i] + (expected[i] > 0); });
}

// Many threads write the same value: nobody can see which was first.
__global__ void any_negative(const int *values, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && values[i] < 0)
        *found = 1;
    if (i < n && __ballot_sync(__activemask(), values[i] == -3))
        atomicAdd(&visits, 1);
}

static int test_same_value()
{
    int count = 0;
    array<int> values(N, [](int i) { return i % 100 - 3; }), found(1, zero);
    cudaMemcpyToSymbol(visits, &count, sizeof count);
    any_negative<<<BLOCKS, THREADS>>>(values.device, found.device, N);
    cudaMemcpyFromSymbol(&count, visits, sizeof count);
    return count == 0 ? 2 : found.judge([](int) { return 1; });
}

// In place, and then all blocks say the same: they meet, and what was done before must not be done again.
__global__ void count_up_and_tell(int *data, int *told)
{
    data[blockIdx.x * blockDim.x + threadIdx.x]++;
    *told = 1;
}

static int test_told_by_all()
{
    enum { MANY = 3000, SIZE = MANY * 64 };
    array<int> data(SIZE, [](int i) { return i; }), told(1, zero);
    count_up_and_tell<<<MANY, 64>>>(data.device, told.device);
    int result = data.judge([](int i) { return i + 1; });
    return result ? result : told.judge([](int) { return 1; });
}

// Bytes of one word that belong to different threads, and blocks.
__global__ void to_bytes(unsigned char *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

static int test_bytes(int blocks, int threads)
{
    int size = blocks * threads - threads / 3; // the last block has threads to spare
    array<int> in(size, [](int i) { return i * 5; });
    array<unsigned char> out(size);
    to_bytes<<<blocks, threads>>>(out.device, in.device, size);
    return out.judge([](int i) { return i * 5; });
}

static int test_few_bytes()
{
    return test_bytes(11, 33);
}

static int test_bytes_of_many_blocks()
{
    return test_bytes(4001, 37);
}

// In place, each thread its own element, in three launches on a stream between events.
__global__ void twice(double *data, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        data[i] *= 2;
}

static int test_streams()
{
    double host[N];
    array<double> data(N);
    cudaStream_t stream;
    cudaEvent_t start, end;
    float ms = -1;
    for (int i = 0; i < N; i++)
        host[i] = i;
    cudaStreamCreate(&stream);
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaEventRecord(start, stream);
    cudaMemcpyAsync(data.device, host, sizeof host, cudaMemcpyHostToDevice, stream);
    for (int i = 0; i < 3; i++)
        twice<<<3, 64, 0, stream>>>(data.device, N);
    cudaMemcpyAsync(host, data.device, sizeof host, cudaMemcpyDeviceToHost, stream);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, start, end);
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    cudaStreamDestroy(stream);
    for (int i = 0; i < N; i++)
        if (host[i] != 8 * i)
            return 1;
    return ms < 0 ? 2 : cudaGetLastError();
}

// Threads beyond the end return before the barriers: nobody waits for them.
__global__ void add_neighbours(int *out, const int *in, int n)
{
    __shared__ int line[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    line[threadIdx.x] = in[i];
    __syncthreads();
    int left = threadIdx.x > 0 ? line[threadIdx.x - 1] : 0;
    __syncthreads();
    line[threadIdx.x] += left;
    __syncthreads();
    out[i] = line[threadIdx.x];
}

// The same, but those that return have something to do first, in one of two ways.
__global__ void add_neighbours_or_mark(int *out, const int *in, int n, int size)
{
    __shared__ int line[THREADS];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        for (int k = 0; i < size && k <= i % 3; k++)
            atomicAdd(&out[i], -1);
        return;
    }
    line[threadIdx.x] = in[i];
    if (in[i] < 0) {
        atomicAdd(&out[i], 77);
        return;
    }
    __syncthreads();
    out[i] = line[threadIdx.x] + (threadIdx.x > 0 ? line[threadIdx.x - 1] : 0);
}

static int test_early_return(bool has_work)
{
    enum { SIZE = BLOCKS * THREADS, SHORT = SIZE - THREADS - 45 };
    auto first = [=](int i) { return has_work && i % 11 == 5 ? -i : i * 3; };
    array<int> in(SIZE, first), out(SIZE, zero);
    if (has_work)
        add_neighbours_or_mark<<<BLOCKS, THREADS>>>(out.device, in.device, SHORT, SIZE);
    else
        add_neighbours<<<BLOCKS, THREADS>>>(out.device, in.device, SHORT);
    return out.judge([=](int i) {
        int sum = first(i) + (i % THREADS ? first(i - 1) : 0), beyond = has_work ? -1 - i % 3 : 0;
        return i >= SHORT ? beyond : first(i) < 0 ? 77 : sum;
    });
}

static int test_return_at_once()
{
    return test_early_return(false);
}

static int test_return_after_work()
{
    return test_early_return(true);
}

__device__ int global_lock;

__device__ void take(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
}

__device__ void give(int *lock)
{
    __threadfence();
    atomicExch(lock, 0);
}

// Plain accesses under a lock in shared memory and under one of the whole device, by one thread of
// a warp and by its lanes in turn.
__global__ void count_under_locks(int *counts)
{
    __shared__ int visitors, lock;
    if (threadIdx.x == 0)
        visitors = lock = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        take(&lock);
        visitors++;
        give(&lock);
        take(&global_lock);
        counts[0]++;
        give(&global_lock);
    }
    for (int lane = 0; lane < 32; lane++) {
        if (threadIdx.x % 32 == lane) {
            take(&lock);
            visitors += 100;
            give(&lock);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        take(&global_lock);
        counts[1] += visitors;
        give(&global_lock);
    }
}

static int test_locks()
{
    array<int> counts(2, zero);
    count_under_locks<<<BLOCKS, THREADS>>>(counts.device);
    return counts.judge([](int i) {
        return i == 0 ? BLOCKS * THREADS / 32 : BLOCKS * (THREADS / 32 + THREADS * 100);
    });
}

// A warp waits for another one's data, and a block for the block's before it, by volatile flags.
__global__ void pass_on(int *data, volatile int *ready)
{
    __shared__ int letter[32];
    __shared__ volatile int sent;
    if (threadIdx.x == 0)
        sent = 0;
    __syncthreads();
    if (threadIdx.x >= 32) {
        letter[threadIdx.x - 32] = threadIdx.x;
        __threadfence_block();
        __syncwarp();
        if (threadIdx.x == 32)
            sent = 1;
        return;
    }
    while (!sent)
        ;
    __threadfence_block();
    int value = letter[threadIdx.x];
    while (blockIdx.x > 0 && !ready[blockIdx.x - 1])
        ;
    __threadfence();
    data[threadIdx.x] += value;
    __threadfence();
    __syncwarp();
    if (threadIdx.x == 0)
        ready[blockIdx.x] = 1;
}

static int test_messages()
{
    enum { CHAIN = 6 };
    array<int> data(32, zero), ready(CHAIN, zero);
    pass_on<<<CHAIN, 64>>>(data.device, ready.device);
    return data.judge([](int i) { return CHAIN * (i + 32); });
}

// Every thread leaves a plain value; all threads of the last block read all of them.
__global__ void turn_by_last_block(const int *in, int *left, unsigned *done, int *out, int n)
{
    __shared__ bool is_last;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        left[i] = in[i] + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    for (int k = threadIdx.x; is_last && k < n; k += blockDim.x)
        out[n - 1 - k] = left[k];
}

static int test_all_of_last_block()
{
    array<int> in(N, [](int i) { return i * 7; }), left(N), out(N);
    array<unsigned> done(1, zero);
    turn_by_last_block<<<BLOCKS, THREADS>>>(in.device, left.device, done.device, out.device, N);
    return out.judge([](int i) { return (N - 1 - i) * 7 + 1; });
}

// An atomic sum of doubles by compare-and-swap, which begins with a plain load.
__device__ void add_by_swap(double *sum, double value)
{
    unsigned long long *bits = (unsigned long long *)sum, old = *bits, seen;
    do {
        seen = old;
        double next = __longlong_as_double(seen) + value;
        old = atomicCAS(bits, seen, __double_as_longlong(next));
    } while (seen != old);
}

__global__ void sum_by_swap(double *sum, int n)
{
    __shared__ double of_block;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        of_block = 0;
    __syncthreads();
    if (i < n)
        add_by_swap(&of_block, i);
    __syncthreads();
    if (threadIdx.x == 0)
        add_by_swap(sum, of_block);
}

// Words whose address a compiler may write in two ways, for the load and for the swap.
__device__ double sums[3];

__global__ void sum_parts_by_swap(double *sum, int n, int k)
{
    __shared__ double of_block[2];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 2)
        of_block[threadIdx.x] = 0;
    __syncthreads();
    if (i < n)
        add_by_swap(&of_block[1], i);
    __syncthreads();
    if (threadIdx.x == 0) {
        add_by_swap(&sums[1], of_block[1]);
        add_by_swap(&sum[k + 1], of_block[1]);
    }
}

static int test_retried_swap()
{
    const double expected = N * (N - 1) / 2;
    double results[3] = {0};
    array<double> sum(3, zero);
    cudaMemcpyToSymbol(sums, results, sizeof results);
    sum_by_swap<<<BLOCKS, THREADS>>>(sum.device, N);
    sum_parts_by_swap<<<BLOCKS, THREADS>>>(sum.device, N, 1);
    cudaMemcpyFromSymbol(results, sums, sizeof results);
    return results[1] != expected ? 2 : sum.judge([=](int i) { return i == 1 ? 0 : expected; });
}

// All warps read what one wrote, say so with an atomic, and then that one writes again.
__global__ void write_after_readers(int *out)
{
    __shared__ int value, readers;
    if (threadIdx.x == 0) {
        value = 5;
        readers = 0;
    }
    __syncthreads();
    int seen = value;
    __threadfence_block();
    atomicAdd(&readers, 1);
    if (threadIdx.x == 0) {
        while (atomicAdd(&readers, 0) != THREADS)
            ;
        __threadfence_block();
        value = 6;
    }
    __syncthreads();
    out[threadIdx.x] = seen * 10 + value;
}

static int test_readers()
{
    array<int> out(THREADS);
    write_after_readers<<<1, THREADS>>>(out.device);
    return out.judge([](int) { return 56; });
}

// Threads behind the end do the last element once more: some lanes of a store write one value to one word.
__global__ void increment_clamped(int *out, const int *in, int n)
{
    __shared__ int kept[THREADS];
    int first = blockIdx.x * blockDim.x, i = min(first + (int)threadIdx.x, n - 1);
    kept[i - first] = in[i];
    __syncthreads();
    out[i] = kept[i - first] + 1;
}

static int test_clamped()
{
    array<int> in(N, [](int i) { return 3 * i; }), out(N);
    increment_clamped<<<BLOCKS, THREADS>>>(out.device, in.device, N);
    return out.judge([](int i) { return 3 * i + 1; });
}

// Barriers that count and vote, of a block whose last threads have left; and a pause.
__global__ void vote(int *out, const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int count = __syncthreads_count(in[i] % 3 == 0);
    __nanosleep(10);
    int all = __syncthreads_and(in[i] >= 0), any = __syncthreads_or(in[i] == 130);
    int alike = __match_any_sync(__activemask(), in[i] / 8) != 0;
    out[i] = count * 1000 + all * 100 + any * 10 + alike;
}

static int test_block_votes()
{
    auto first = [](int i) { return i == 300 ? -1 : i; };
    array<int> in(N, first), out(N);
    vote<<<BLOCKS, THREADS>>>(out.device, in.device, N);
    return out.judge([=](int place) {
        int count = 0, all = 1, any = 0, i = place / THREADS * THREADS;
        for (int end = i + THREADS < N ? i + THREADS : N; i < end; i++) {
            count += first(i) % 3 == 0;
            all &= first(i) >= 0;
            any |= first(i) == 130;
        }
        return count * 1000 + all * 100 + any * 10 + 1;
    });
}

__global__ void check_positive(const int *values)
{
    assert(values[threadIdx.x] > 0);
}

static int test_assertions()
{
    array<int> values(32, [](int i) { return i + 1; });
    check_positive<<<1, 32>>>(values.device);
    return cudaDeviceSynchronize();
}

extern "C" int program_break_assertion()
{
    array<int> values(32, zero);
    check_positive<<<1, 32>>>(values.device);
    return cudaDeviceSynchronize();
}

// Loads and stores with hints for the caches copy every type, and give what a plain load gives.
enum { HINTS = 7 };

template <typename T>
__device__ bool same(const T &a, const T &b)
{
    const unsigned char *x = (const unsigned char *)&a, *y = (const unsigned char *)&b;
    for (size_t i = 0; i < sizeof(T); i++)
        if (x[i] != y[i])
            return false;
    return true;
}

template <typename T>
__global__ void copy_with_hints(T *out, const T *in, int *wrong)
{
    int i = threadIdx.x;
    __stwb(out + i, __ldg(in + i));
    __stcg(out + THREADS + i, __ldca(in + i));
    __stcs(out + 2 * THREADS + i, __ldcg(in + i));
    __stwt(out + 3 * THREADS + i, __ldcs(in + i));
    out[4 * THREADS + i] = __ldlu(in + i);
    out[5 * THREADS + i] = __ldcv(in + i);
    __stcs(out + 6 * THREADS + i, in[i]);
    T own = in[i]; // signs and all
    wrong[i] = !same(__ldg(in + i), own) + !same(__ldca(in + i), own) + !same(__ldcg(in + i), own) +
               !same(__ldcs(in + i), own) + !same(__ldlu(in + i), own) + !same(__ldcv(in + i), own);
}

template <typename T>
static int test_hints_of()
{
    static unsigned char host[THREADS * sizeof(T)], result[HINTS * sizeof host];
    array<T> in(THREADS), out(HINTS * THREADS);
    array<int> wrong(THREADS);
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (unsigned char)(37 * i + i / 7 + 3);
    cudaMemcpy(in.device, host, sizeof host, cudaMemcpyHostToDevice);
    copy_with_hints<T><<<1, THREADS>>>(out.device, in.device, wrong.device);
    out.read((T *)result);
    for (size_t i = 0; i < sizeof result; i++)
        if (result[i] != host[i % sizeof host])
            return 1;
    return wrong.judge(zero);
}

// The first of them that goes wrong.
template <typename T>
static int test_hints()
{
    return test_hints_of<T>();
}
template <typename T, typename U, typename... V>
static int test_hints()
{
    int result = test_hints_of<T>();
    return result ? result : test_hints<U, V...>();
}

static int test_cache_hints()
{
    return test_hints<char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                      unsigned long, long long, unsigned long long, float, double, char2, uchar2,
                      short2, ushort2, int2, uint2, longlong2, ulonglong2, float2, double2, char4,
                      uchar4, short4, ushort4, int4, uint4, float4>();
}

// Reductions in which lanes read beyond those that take part, and nobody wants what they get: by a sum (a call),
// by the place of the greatest (a branch), by a scan, from a neighbour that is not there, and in an array.
enum { FEW = 8 };

__device__ __noinline__ int plus(int a, int b)
{
    return a + b;
}

__global__ void upper_lanes(int *out, const int *in, int n)
{
    int lane = threadIdx.x;
    if (lane >= n)
        return;
    unsigned mask = __activemask();
    int sum = in[lane], most = in[lane], place = lane, scan = in[lane];
    for (int d = FEW / 2; d > 0; d /= 2) {
        sum = plus(sum, __shfl_down_sync(mask, sum, d));
        int other = __shfl_down_sync(mask, most, d), there = __shfl_down_sync(mask, place, d);
        if (other > most || (other == most && there < place)) {
            most = other;
            place = there;
        }
    }
    for (int d = 1; d < FEW; d *= 2) {
        int before = __shfl_xor_sync(mask, scan, d);
        int below = __shfl_up_sync(mask, scan, d);
        scan += lane >= d ? below : 0 * before;
    }
    int next = __shfl_down_sync(mask, in[lane], 1), ahead[FEW];
    for (int i = 0; i < FEW; i++)
        ahead[(lane + i) % FEW] = __shfl_down_sync(mask, in[lane], i);
    out[3 + 2 * FEW + lane] = ahead[FEW - 1];
    out[3 + lane] = scan;
    out[3 + FEW + lane] = lane + 1 < n ? next : -1;
    if (lane == 0) {
        out[0] = sum;
        out[1] = most;
        out[2] = place;
    }
}

static int test_upper_lanes()
{
    static const int host[FEW] = {3, 1, 4, 1, 5, 9, 2, 6}, heads[3] = {31, 9, 5};
    int scan = 0;
    array<int> in(FEW, [](int i) { return host[i]; }), out(3 + 3 * FEW);
    upper_lanes<<<1, 32>>>(out.device, in.device, FEW);
    return out.judge([&](int i) {
        int part = (i - 3) / FEW, place = (i - 3) % FEW;
        return i < 3       ? heads[i]
               : part == 0 ? scan += host[place]
               : part == 1 ? (place + 1 < FEW ? host[place + 1] : -1)
                           : host[FEW - 1];
    });
}

// Lanes of the same value, found by a match, vote and shuffle among themselves: all groups at once.
__global__ void groups_of_lanes(unsigned *out)
{
    unsigned lane = threadIdx.x, group = __match_any_sync(0xffffffff, lane % 5);
    unsigned odd = __ballot_sync(group, lane % 2), all = __all_sync(group, lane < 30);
    out[lane] = odd ^ group ^ (all << 31) ^ __shfl_sync(group, lane, lane % 5) << 28 ^
                __match_any_sync(group, lane % 2);
}

// Values of 4 and 8 bytes, which shuffles and matches tell apart by all their bits.
template <class T>
__device__ T value_of(unsigned lane)
{
    return (T)((lane + 1ull) << (sizeof(T) == 8 ? 32 : 0));
}

template <class T>
__device__ int exchanged()
{
    int all;
    unsigned lane = threadIdx.x, mask = 0xffffffff;
    T value = value_of<T>(lane);
    return (__shfl_sync(mask, value, 7) == value_of<T>(7)) &
           (__shfl_xor_sync(mask, value, 5) == value_of<T>(lane ^ 5)) &
           (__shfl_down_sync(mask, value, 1) == value_of<T>(lane < 31 ? lane + 1 : lane)) &
           (__shfl_up_sync(mask, value, 1) == value_of<T>(lane ? lane - 1 : lane)) &
           (__match_any_sync(mask, value) == 1u << lane) &
           (__match_all_sync(mask, value, &all) == 0) & !all;
}

__global__ void values_of_lanes(unsigned *out)
{
    out[threadIdx.x] = exchanged<int>() + exchanged<unsigned>() + exchanged<long>() +
                       exchanged<unsigned long>() + exchanged<long long>() +
                       exchanged<unsigned long long>() + exchanged<float>() + exchanged<double>();
}

static int test_values_of_lanes()
{
    enum { TYPES = 8 };
    array<unsigned> out(32);
    values_of_lanes<<<1, 32>>>(out.device);
    return out.judge([](int) { return TYPES; });
}

static int test_groups_of_lanes()
{
    array<unsigned> out(32);
    groups_of_lanes<<<1, 32>>>(out.device);
    return out.judge([](unsigned lane) {
        unsigned group = 0, odd = 0, same = 0;
        for (unsigned other = lane % 5; other < 32; other += 5) {
            group |= 1u << other;
            odd |= other % 2 << other;
            same |= (unsigned)(other % 2 == lane % 2) << other;
        }
        unsigned all = group >> 30 == 0;
        return odd ^ group ^ (all << 31) ^ (lane % 5) << 28 ^ same;
    });
}

static int (*const programs[PROGRAMS])() = {
    test_variables,      test_dynamic_shared, test_histogram,
    test_last_block,     test_syncwarp,       test_same_value,
    test_told_by_all,    test_few_bytes,      test_bytes_of_many_blocks,
    test_streams,        test_return_at_once, test_return_after_work,
    test_locks,          test_messages,       test_all_of_last_block,
    test_retried_swap,   test_readers,        test_histogram_of_warps,
    test_block_votes,    test_clamped,        test_assertions,
    test_cache_hints,    test_upper_lanes,    test_groups_of_lanes,
    test_values_of_lanes};

extern "C" int program_run(int program)
{
    return programs[program]();
}
