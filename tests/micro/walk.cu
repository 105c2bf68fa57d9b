// Walks: each lane of a warp goes along a row of its own, word by word, and waits for each word. One in eight is a new
// sector, one in 32 a new line; the rows lie `pitch` bytes apart.
#include "micro.h"

enum { STEPS = 512 };

__global__ void walk(const unsigned *memory, size_t pitch, unsigned *sink, long long *cycles)
{
    size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    const unsigned *word = memory + thread * pitch / sizeof *memory;
    unsigned got = 0; // what is there is 0, which the compiler does not know
    long long start = clock64();
    for (int i = 0; i < STEPS; i++)
        got += word[i + got];
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = (clock64() - start) / STEPS;
    if (got)
        *sink = got;
}

// On every SM but for the one warp, which is alone.
static void measure(const unsigned *memory, unsigned *sink, size_t pitch, int blocks, int threads)
{
    double cycles = count_cycles(
        [=](long long *counts) { walk<<<blocks, threads>>>(memory, pitch, sink, counts); }, blocks);
    report(cycles, "cycles/load", "walk_%zu_%dx%d_threads", pitch, blocks, threads);
}

int main(void)
{
    wake_up();
    const size_t most =
        (size_t)33024 * 132 * 128; // the largest pitch, for a warp of 128 on each of 132 SMs
    unsigned *memory, *sink;
    CHECK(cudaMalloc(&memory, most));
    CHECK(cudaMemset(memory, 0, most));
    CHECK(cudaMalloc(&sink, sizeof *sink));
    static const size_t pitches[] = {2176, 4224, 8320, 16512, 32896};
    for (size_t pitch : pitches) {
        measure(memory, sink, pitch, 1, 32);
        measure(memory, sink, pitch, 132, 32);
        measure(memory, sink, pitch, 132, 128);
    }
    CHECK(cudaFree(memory));
    return 0;
}
