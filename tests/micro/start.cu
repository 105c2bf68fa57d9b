// What the first microseconds of a launch go to: a grid, parameters, code that no cache holds, loads and stores.
#include "micro.h"

enum { WIDE = 256, MANY = 100 };

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
        spin<<<1, 1>>>((long long)cycles_in(0.05));
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
    measure_code<16>(memory, sms);
    measure_code<64>(memory, sms);
    measure_code<256>(memory, sms);
    measure_code<1024>(memory, sms);
    measure_code<4096>(memory, sms);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(in));
    return 0;
}
