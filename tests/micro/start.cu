// What the first microseconds of a launch go to: a grid, blocks that fill the SMs and end, parameters, code that no cache
// holds, loads and stores, from tiles too.
#include "micro.h"

enum { WIDE = 256, MANY = 100, LONG_WAIT = 4000 };

__global__ void nothing(void)
{
}

__global__ void parameters(float *memory, int n)
{
    if (n == 1)
        *memory = 1;
}

// A word a thread: loaded, stored, or both.
template <bool loads, bool stores>
__global__ void word(float *out, const float *in)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float got = loads ? __ldcg(in + i) : 1;
    if (stores || got == 0.5f)
        out[i] = got;
}

// A tile of 32 x 32 words of a square matrix, 8 rows at once: loaded, stored, or both.
template <bool loads, bool stores>
__global__ void tile(float *out, const float *in, int n)
{
    constexpr int ROWS = 8, TURNS = WARP / ROWS;
    int x = blockIdx.x * WARP + threadIdx.x, y = blockIdx.y * WARP + threadIdx.y;
    float got[TURNS] = {1, 1, 1, 1};
#pragma unroll
    for (int i = 0; loads && i < TURNS; i++)
        got[i] = in[(y + i * ROWS) * n + x];
    if (stores || got[0] + got[1] + got[2] + got[3] == 0.5f)
#pragma unroll
        for (int i = 0; i < TURNS; i++)
            out[(y + i * ROWS) * n + x] = got[i];
}

// So many instructions one after the other, four sums in turns, which no warp has to wait for.
template <int instructions>
__global__ void code(float *memory, float by)
{
    float a = by, b = by + 1, c = by + 2, d = by + 3;
#pragma unroll
    for (int i = 0; i < instructions / 4; i++) {
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(a));
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(b));
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(c));
        asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(d));
    }
    if (a + b + c + d == 0.5f)
        *memory = 1;
}

// Cycles of an SM's first load of a launch, and of its next one, from lines of its own: the SMs' sums.
__global__ void first_loads(const float *lines, unsigned long long *sums)
{
    long long cycles[2];
    for (int i = 0; i < 2; i++) {
        long long start = clock64();
        float got = __ldcg(lines + (2 * blockIdx.x + i) * LINE_WORDS);
        if (got == 0.5f) // which needs it
            start = 0;
        cycles[i] = clock64() - start;
    }
    for (int i = 0; i < 2; i++)
        atomicAdd(sums + i, (unsigned long long)cycles[i]);
}

// On which SM a block began, and when by that SM's clock.
struct begun {
    long long at;
    unsigned sm;
};

// Blocks that end so many cycles after they began.
__global__ void wait(struct begun *begun, long long cycles)
{
    long long start = clock64();
    if (threadIdx.x == 0) {
        begun[blockIdx.x].at = start;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(begun[blockIdx.x].sm));
    }
    while (clock64() - start < cycles)
        ;
}

// The clock behind events ticks slowly: the mean of many launches, each behind one that warms what stays warm.
template <typename Launch>
static double mean_us(Launch launch)
{
    double sum = 0;
    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    for (int i = 0; i < MANY; i++) {
        float ms;
        spin<<<1, 1>>>((long long)cycles_in(SPIN_US * 1e-3));
        launch();
        CHECK(cudaEventRecord(start));
        launch();
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(stop));
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        sum += ms * 1e3;
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    return sum / MANY;
}

template <int instructions>
static void measure_code(float *memory, int sms)
{
    report(mean_us([=] { code<instructions><<<1, WARP>>>(memory, 1); }), "us",
           "start_code_%d_1x32_threads", instructions);
    report(mean_us([=] { code<instructions><<<sms, WIDE>>>(memory, 1); }), "us",
           "start_code_%d_%dx%d_threads", instructions, sms, (int)WIDE);
}

static void measure_tiles(int n)
{
    float *out, *in;
    const size_t bytes = (size_t)n * n * sizeof(float);
    dim3 grid(n / WARP, n / WARP), block(WARP, 8);
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    report(mean_us([=] { tile<true, false><<<grid, block>>>(out, in, n); }), "us",
           "start_load_tiles_%d", n);
    report(mean_us([=] { tile<false, true><<<grid, block>>>(out, in, n); }), "us",
           "start_store_tiles_%d", n);
    report(mean_us([=] { tile<true, true><<<grid, block>>>(out, in, n); }), "us",
           "start_copy_tiles_%d", n);
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
}

static int compare_begun(const void *a, const void *b)
{
    const struct begun *x = (const struct begun *)a, *y = (const struct begun *)b;
    return x->sm != y->sm ? (x->sm > y->sm) - (x->sm < y->sm) : (x->at > y->at) - (x->at < y->at);
}

static void measure_first_loads(const float *lines, int blocks)
{
    unsigned long long *sums, host[2];
    CHECK(cudaMalloc(&sums, sizeof host));
    for (int i = 0; i <= MANY; i++) {
        if (i <= 1) // the first launch does not count
            CHECK(cudaMemset(sums, 0, sizeof host));
        first_loads<<<blocks, 1>>>(lines, sums);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(sums));
    report((double)host[0] / MANY / blocks, "cycles", "start_first_load_%dx1_threads", blocks);
    report((double)host[1] / MANY / blocks, "cycles", "start_second_load_%dx1_threads", blocks);
}

// How many cycles after an SM's first block its last one begins, where all SMs are filled at once: the SMs' mean.
static double filling(struct begun *begun, struct begun *host, int blocks, int threads, int sms)
{
    double sum = 0;
    wait<<<blocks, threads>>>(begun, LONG_WAIT); // does not count
    for (int i = 0; i < MANY; i++) {
        wait<<<blocks, threads>>>(begun, LONG_WAIT);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, begun, blocks * sizeof *host, cudaMemcpyDeviceToHost));
        qsort(host, blocks, sizeof *host, compare_begun);
        for (int first = 0, last; first < blocks; first = last + 1) {
            for (last = first; last + 1 < blocks && host[last + 1].sm == host[first].sm; last++)
                ;
            sum += (double)(host[last].at - host[first].at);
        }
    }
    return sum / MANY / sms;
}

// Blocks that fill all SMs and end after so long a time that none begins where another one has ended.
static void measure_filling(int sms)
{
    struct begun *begun, *host;
    const int most = sms * 32;
    CHECK(cudaMalloc(&begun, most * sizeof *begun));
    CHECK(cudaMallocHost(&host, most * sizeof *host));
    for (int threads : {32, 64, 128, 256, 512, 1024})
        for (int blocks = 1; blocks <= 32 && blocks * threads <= 2048; blocks *= 2) {
            report(filling(begun, host, blocks * sms, threads, sms), "cycles",
                   "start_filling_%dx%d_threads", blocks * sms, threads);
            report(mean_us([=] { wait<<<blocks * sms, threads>>>(begun, LONG_WAIT); }), "us",
                   "start_wait_%dx%d_threads", blocks * sms, threads);
        }
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(begun));
}

int main(void)
{
    wake_up();
    const int sms = multiprocessors();
    float *memory, *in;
    const size_t bytes = (size_t)sms * 2048 * sizeof(float);
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMemset(memory, 0, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    for (int blocks : {1, sms, 8 * sms, 32 * sms})
        for (int threads : {32, 256, 1024})
            report(mean_us([=] { nothing<<<blocks, threads>>>(); }), "us",
                   "start_nothing_%dx%d_threads", blocks, threads);
    report(mean_us([=] { parameters<<<1, WARP>>>(memory, 0); }), "us",
           "start_parameters_1x32_threads");
    for (int blocks : {1, sms, 8 * sms}) {
        report(mean_us([=] { word<true, false><<<blocks, WIDE>>>(memory, in); }), "us",
               "start_load_%dx256_threads", blocks);
        report(mean_us([=] { word<false, true><<<blocks, WIDE>>>(memory, in); }), "us",
               "start_store_%dx256_threads", blocks);
        report(mean_us([=] { word<true, true><<<blocks, WIDE>>>(memory, in); }), "us",
               "start_copy_%dx256_threads", blocks);
    }
    measure_first_loads(in, 1);
    measure_first_loads(in, sms);
    measure_filling(sms);
    for (int n : {256, 512, 1024, 2048})
        measure_tiles(n);
    measure_code<16>(memory, sms);
    measure_code<64>(memory, sms);
    measure_code<256>(memory, sms);
    measure_code<1024>(memory, sms);
    measure_code<4096>(memory, sms);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(in));
    return 0;
}
