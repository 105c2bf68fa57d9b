// One thing each that takes a GPU time.
#include <cuda_runtime.h>

#include "timed.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void empty()
{
}

__global__ void chain(void **memory, int rounds)
{
    void **at = memory;
    for (int i = 0; i < rounds; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("ld.global.u64 %0, [%0];" : "+l"(at));
    }
    if (at == NULL)
        *memory = at;
}

__global__ void chain_behind(void **memory, int rounds)
{
    void **at = memory;
    for (int i = 0; i < rounds; i += 8) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
    }
    if (at == NULL)
        *memory = at;
}

__global__ void read_stream(float4 *memory)
{
    float4 v = memory[THREAD];
    if (v.x + v.y + v.z + v.w != 0)
        memory[0] = v;
}

__global__ void write_stream(float4 *memory)
{
    memory[THREAD] = make_float4(0, 0, 0, 0);
}

__global__ void copy_stream(float4 *memory)
{
    memory[THREAD + gridDim.x * blockDim.x] = memory[THREAD];
}

// 8 independent loads a round, each of 4 whole sectors a warp.
__global__ void from_l2(float *memory, int rounds)
{
    float *mine = memory + (blockIdx.x * 1024 + threadIdx.x % 32) % 262144, sum = 0;
    for (int i = 0; i < rounds; i += 8) {
        float v[8];
#pragma unroll
        for (int k = 0; k < 8; k++)
            asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(v[k]) : "l"(mine + 32 * k));
#pragma unroll
        for (int k = 0; k < 8; k++)
            sum += v[k];
    }
    if (sum != 0)
        memory[0] = sum;
}

__global__ void banks(float *memory, int rounds, int stride)
{
    __shared__ float words[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        words[i] = 0;
    __syncthreads();
    const volatile float *mine = words + threadIdx.x % 32 * stride % 1024;
    float sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += *mine;
    if (sum != 0)
        *memory = sum;
}

__global__ void barriers(int rounds)
{
    for (int i = 0; i < rounds; i++)
        __syncthreads();
}

__global__ void loop(float *memory, int rounds)
{
    float sum = 0;
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
        sum = sum * 0.5f + ((volatile float *)memory)[(THREAD + i * 32) % 262144];
    if (sum != 0)
        *memory = sum;
}

__global__ void scatter(float *memory, int rounds)
{
#pragma unroll 1
    for (int i = 0; i < rounds; i++)
        memory[(THREAD * 32 + i) % 262144] = 0;
}

__global__ void early_exit(float *memory)
{
    __shared__ float words[1024];
    if (threadIdx.x % 64 >= 32 || threadIdx.x % 8 == 7)
        return;
    words[threadIdx.x] = memory[THREAD];
    __syncthreads();
    if (threadIdx.x >= 512)
        return;
    __syncthreads();
    memory[THREAD] = words[threadIdx.x];
}

__global__ void atomics(unsigned *memory)
{
    __shared__ unsigned total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, 0u);
    atomicAdd(memory + threadIdx.x % 16, 0u);
    unsigned before = atomicMax(memory + THREAD % 1024, 0u);
    __syncthreads();
    if (threadIdx.x == 0 && before + total)
        atomicExch(memory, 0u);
}

__device__ __attribute__((noinline)) float add(const float *memory, int count)
{
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += memory[i];
    return sum;
}

__device__ __attribute__((noinline)) float add_twice(const float *memory, int count)
{
    return add(memory, count) + memory[count] * add(memory + count, 2 * count);
}

__global__ void calls(float *memory)
{
    memory[1024 + THREAD % 2048] = 0;
    if (add_twice(memory, 1 + threadIdx.x % 3) != 0)
        memory[0] = 0;
}

__global__ void local(float *memory)
{
    float table[16];
    for (int i = 0; i < 16; i++)
        table[i] = memory[(THREAD + i) % 4096];
    for (int i = 0; i < 32; i++)
        table[(i * 7 + threadIdx.x) % 16] += table[(i * 5 + threadIdx.x) % 16];
    if (table[threadIdx.x % 16] != 0)
        memory[0] = 0;
}

__global__ void large_shared(float *memory)
{
    __shared__ float words[10240];
    for (int i = threadIdx.x; i < 10240; i += blockDim.x)
        words[i] = memory[i];
    __syncthreads();
    if (words[(threadIdx.x * 33 + 5) % 10240] != 0)
        memory[0] = 0;
}

// Each warp leaves after as many barriers as its number says, and loops a while.
__global__ void uneven(float *memory)
{
    unsigned warp = threadIdx.x / 32;
    float sum = 0;
    for (unsigned i = 0; i < warp; i++) {
        for (unsigned k = 0; k < (warp * 7 + i) % 5; k++)
            sum += ((volatile float *)memory)[THREAD % 4096 + k];
        __syncthreads();
    }
    if (sum != 0)
        memory[0] = sum;
}

__global__ void generic(float *memory, int stride)
{
    __shared__ float words[1024];
    words[threadIdx.x] = 0;
    __syncthreads();
    float *at = (threadIdx.x + stride) % 3 ? words + threadIdx.x : memory + THREAD % 4096;
    *(volatile float *)at = *(volatile float *)at;
}

extern "C" void timed_launch(enum timed kernel, unsigned blocks, unsigned threads, void *memory,
                             int rounds, int stride)
{
    float *floats = (float *)memory;
    switch (kernel) {
    case TIMED_EMPTY:
        return empty<<<blocks, threads>>>();
    case TIMED_CHAIN:
        return chain<<<blocks, threads>>>((void **)memory, rounds);
    case TIMED_CHAIN_BEHIND:
        return chain_behind<<<blocks, threads>>>((void **)memory, rounds);
    case TIMED_READ:
        return read_stream<<<blocks, threads>>>((float4 *)memory);
    case TIMED_WRITE:
        return write_stream<<<blocks, threads>>>((float4 *)memory);
    case TIMED_COPY:
        return copy_stream<<<blocks, threads>>>((float4 *)memory);
    case TIMED_L2:
        return from_l2<<<blocks, threads>>>(floats, rounds);
    case TIMED_BANKS:
        return banks<<<blocks, threads>>>(floats, rounds, stride);
    case TIMED_BARRIERS:
        return barriers<<<blocks, threads>>>(rounds);
    case TIMED_LOOP:
        return loop<<<blocks, threads>>>(floats, rounds);
    case TIMED_SCATTER:
        return scatter<<<blocks, threads>>>(floats, rounds);
    case TIMED_EARLY_EXIT:
        return early_exit<<<blocks, threads>>>(floats);
    case TIMED_ATOMICS:
        return atomics<<<blocks, threads>>>((unsigned *)memory);
    case TIMED_CALLS:
        return calls<<<blocks, threads>>>(floats);
    case TIMED_LOCAL:
        return local<<<blocks, threads>>>(floats);
    case TIMED_LARGE_SHARED:
        return large_shared<<<blocks, threads>>>(floats);
    case TIMED_UNEVEN:
        return uneven<<<blocks, threads>>>(floats);
    case TIMED_GENERIC:
        return generic<<<blocks, threads>>>(floats, stride);
    case TIMED_KERNELS:
        return;
    }
}
