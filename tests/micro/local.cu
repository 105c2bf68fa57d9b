// Local memory: cycles an SM needs for a request, by the lines of 128 bytes that it touches. An array that is indexed
// by what the compiler does not know lies there, each element's 32 lanes in a line; L1 holds it all.
#include "micro.h"

enum { WARPS = 8, ELEMENTS = 32, ROUNDS = 256 };

// Lanes go in groups of `lanes`, each an element ahead of the one before.
__global__ void load(unsigned start, unsigned lanes, float *sink, long long *cycles)
{
    volatile float words[ELEMENTS];
    unsigned at = start + threadIdx.x % WARP / lanes;
    for (int i = 0; i < ELEMENTS; i++)
        words[i] = 0;
    float sum = 0;
    __syncthreads();
    long long before = clock64();
#pragma unroll 16
    for (int i = 0; i < ROUNDS; i++)
        sum += words[(at + i) % ELEMENTS];
    sink[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - before;
}

__global__ void store(unsigned start, unsigned lanes, float *sink, long long *cycles)
{
    volatile float words[ELEMENTS];
    unsigned at = start + threadIdx.x % WARP / lanes;
    words[at % ELEMENTS] = 0;
    __syncthreads();
    long long before = clock64();
#pragma unroll 16
    for (int i = 0; i < ROUNDS; i++)
        words[(at + i) % ELEMENTS] = (float)i;
    sink[threadIdx.x] = words[at % ELEMENTS];
    __syncthreads();
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = clock64() - before;
}

// Of one SM alone, or of all.
static void measure(int lines, int blocks, float *sink, const char *who)
{
    auto loads = [=](long long *c) { load<<<blocks, WARPS * WARP>>>(0, WARP / lines, sink, c); };
    auto stores = [=](long long *c) { store<<<blocks, WARPS * WARP>>>(0, WARP / lines, sink, c); };
    report(count_cycles(loads, blocks) / (WARPS * ROUNDS), "cycles/request",
           "local_load_%d_lines_%s", lines, who);
    report(count_cycles(stores, blocks) / (WARPS * ROUNDS), "cycles/request",
           "local_store_%d_lines_%s", lines, who);
}

int main(void)
{
    wake_up();
    float *sink;
    CHECK(cudaMalloc(&sink, WARPS * WARP * sizeof *sink));
    for (int lines = 1; lines <= WARP; lines *= 2) {
        measure(lines, 1, sink, "one");
        measure(lines, multiprocessors(), sink, "all");
    }
    CHECK(cudaFree(sink));
    return 0;
}
