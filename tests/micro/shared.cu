// Shared memory: cycles that an SM needs for a request, by how many wavefronts the request takes.
#include "micro.h"

enum { ROUNDS = 256, UNROLL = 16, THREADS = 1024, WORDS = 32 * WARP };

// Lane l's word is l * ways: `ways` lanes meet in each bank that is used.
__device__ int strided(int ways)
{
    return threadIdx.x % WARP * ways % WORDS;
}

__global__ void load(int ways, float *sink, long long *cycles)
{
    __shared__ float words[WORDS];
    words[threadIdx.x] = threadIdx.x;
    volatile float *from = words + strided(ways);
    float sum = 0;
    __syncthreads();
    long long start = clock64();
    for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += *from;
    }
    sink[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
}

__global__ void store(int ways, float *sink, long long *cycles)
{
    __shared__ float words[WORDS];
    volatile float *to = words + strided(ways);
    __syncthreads();
    long long start = clock64();
    for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            *to = i;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
    sink[threadIdx.x] = words[threadIdx.x];
}

// Each lane loads 16 bytes: 4 wavefronts without a conflict.
__global__ void load_16_bytes(float *sink, long long *cycles)
{
    __shared__ float4 words[WARP];
    if (threadIdx.x < WARP)
        words[threadIdx.x] = float4();
    unsigned from = (unsigned)__cvta_generic_to_shared(words + threadIdx.x % WARP);
    float sum = 0;
    __syncthreads();
    long long start = clock64();
    for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
        for (int k = 0; k < UNROLL; k++) {
            float4 got;
            asm volatile("ld.volatile.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(got.x), "=f"(got.y), "=f"(got.z), "=f"(got.w)
                         : "r"(from));
            sum += got.x;
        }
    }
    sink[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
}

int main(void)
{
    wake_up();
    float *sink;
    CHECK(cudaMalloc(&sink, THREADS * sizeof *sink));
    const double requests = (double)ROUNDS * UNROLL * THREADS / WARP;
    for (int ways = 1; ways <= 32; ways *= 2) {
        report(count_cycles([=](long long *c) { load<<<1, THREADS>>>(ways, sink, c); }) / requests,
               "cycles/request", "shared_load_%d_ways", ways);
        report(count_cycles([=](long long *c) { store<<<1, THREADS>>>(ways, sink, c); }) / requests,
               "cycles/request", "shared_store_%d_ways", ways);
    }
    report(count_cycles([=](long long *c) { load_16_bytes<<<1, THREADS>>>(sink, c); }) / requests,
           "cycles/request", "shared_load_16_bytes");
    return 0;
}
