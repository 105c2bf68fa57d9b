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

__global__ void part_idle(float4 *memory, int first, int count)
{
    if (blockIdx.x < first || blockIdx.x >= first + count)
        return;
    memory[THREAD].x += 1;
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

// As tests/micro/port.cu has it: the line's next sector in the next round, and after four rounds other lines.
__global__ void leave_unfinished(void *memory, int rounds, int ahead)
{
    const size_t warp = THREAD / 32, warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
    for (int round = 0; round < rounds; round++)
        for (int half = 0; half < 2; half++)
            for (int i = 0; i < ahead; i++) {
                size_t line = ((round / 4 * warps + warp) * ahead + i) * 32 + lane;
                char *sector = (char *)memory + line * 128 + round % 4 * 32;
                *(float4 *)(sector + half * 16) = make_float4(0, 0, 0, 0);
            }
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

// Copies a matrix with rows of so many words, which lies at `memory`, to where it ends; the tiles that are stored go down
// the columns (tests/micro/open.cu).
__global__ void __launch_bounds__(1024) copy_tiles(float *memory, int words)
{
    enum { SIDE = 32 };
    const unsigned n = words, tiles = (n + SIDE - 1) / SIDE, tile = THREAD / SIDE,
                   lane = threadIdx.x % SIDE;
    if (tile >= tiles * tiles)
        return;
    const unsigned in_x = tile % tiles * SIDE + lane, in_y = tile / tiles * SIDE,
                   x = tile / tiles * SIDE + lane, y = tile % tiles * SIDE;
    float got[SIDE];
#pragma unroll
    for (unsigned i = 0; i < SIDE; i++)
        got[i] = in_x < n && in_y + i < n ? __ldcg(memory + (size_t)(in_y + i) * n + in_x) : 0;
#pragma unroll
    for (unsigned i = 0; i < SIDE; i++)
        if (x < n && y + i < n)
            memory[(size_t)(n + y + i) * n + x] = got[i];
}

__global__ void products(unsigned *memory, int rounds)
{
    unsigned long long chains[4];
    for (int c = 0; c < 4; c++)
        chains[c] = (unsigned long long)(THREAD + c) << 32;
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int c = 0; c < 4; c++)
            chains[c] = (chains[c] >> 32) * (unsigned)(rounds + c);
    *memory = (chains[0] ^ chains[1] ^ chains[2] ^ chains[3]) >> 32;
}

__global__ void three_registers(unsigned *memory, int rounds)
{
    unsigned words[4];
    for (int w = 0; w < 4; w++)
        words[w] = THREAD + w;
    for (int i = 0; i < rounds; i++)
#pragma unroll
        for (int k = 0; k < 64; k++) {
            unsigned &x = words[k % 4], y = words[(k + 1) % 4], z = words[(k + 2) % 4];
            x = k % 2 ? x * y + z : (x & y) ^ z;
        }
    *memory = words[0] + words[1] + words[2] + words[3];
}

// A case of the switch.
#define LAUNCH(number, kernel, ...)                                                                \
    case number:                                                                                   \
        return kernel<<<blocks, threads>>>(__VA_ARGS__)

extern "C" void timed_launch(enum timed kernel, unsigned blocks, unsigned threads, void *memory,
                             int rounds, int stride)
{
    float *floats = (float *)memory;
    switch (kernel) {
        LAUNCH(TIMED_EMPTY, empty);
        LAUNCH(TIMED_CHAIN, chain, (void **)memory, rounds);
        LAUNCH(TIMED_CHAIN_BEHIND, chain_behind, (void **)memory, rounds);
        LAUNCH(TIMED_READ, read_stream, (float4 *)memory);
        LAUNCH(TIMED_WRITE, write_stream, (float4 *)memory);
        LAUNCH(TIMED_COPY, copy_stream, (float4 *)memory);
        LAUNCH(TIMED_L2, from_l2, floats, rounds);
        LAUNCH(TIMED_BANKS, banks, floats, rounds, stride);
        LAUNCH(TIMED_BARRIERS, barriers, rounds);
        LAUNCH(TIMED_LOOP, loop, floats, rounds);
        LAUNCH(TIMED_SCATTER, scatter, floats, rounds);
        LAUNCH(TIMED_UNFINISHED, leave_unfinished, memory, rounds, stride);
        LAUNCH(TIMED_EARLY_EXIT, early_exit, floats);
        LAUNCH(TIMED_ATOMICS, atomics, (unsigned *)memory);
        LAUNCH(TIMED_CALLS, calls, floats);
        LAUNCH(TIMED_LOCAL, local, floats);
        LAUNCH(TIMED_LARGE_SHARED, large_shared, floats);
        LAUNCH(TIMED_UNEVEN, uneven, floats);
        LAUNCH(TIMED_TILES, copy_tiles, floats, rounds);
        LAUNCH(TIMED_PART_IDLE, part_idle, (float4 *)memory, rounds, stride);
        LAUNCH(TIMED_PRODUCTS, products, (unsigned *)memory, rounds);
        LAUNCH(TIMED_THREE, three_registers, (unsigned *)memory, rounds);
        LAUNCH(TIMED_GENERIC, generic, floats, stride);
    case TIMED_KERNELS:
        return;
    }
}
