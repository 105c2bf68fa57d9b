// Walks: each lane of a warp goes along a row of its own, word by word, and waits for each word. One in eight is a new
// sector, one in 32 a new line; the rows lie `pitch` bytes apart. And what a new sector takes where another one of its line
// has just come from DRAM.
#include "micro.h"

enum { STEPS = 512 };
enum { LINES = 4096, LINES_APART = 33 }; // that a thread visits

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

// A thread an SM has the first sector of a line come from DRAM, and then waits for another one.
__global__ void visit(const float *memory, int sector, long long *cycles)
{
    const float *line = memory + (size_t)blockIdx.x * LINES * LINES_APART * LINE_WORDS;
    long long waited = 0;
    for (int i = 0; i < LINES; i++, line += LINES_APART * LINE_WORDS) {
        unsigned start = clock_at(__ldcg(line));
        waited += clock_at(__ldcg(line + sector * SECTOR_BYTES / sizeof *line)) - start;
    }
    cycles[blockIdx.x] = waited / LINES;
}

static void measure_visit(float *memory, size_t bytes, int blocks)
{
    for (int sector = 0; sector < LINE_BYTES / SECTOR_BYTES; sector++) {
        double cycles = count_cycles(
            [=](long long *counts) {
                CHECK(cudaMemset(memory, 0, bytes)); // whose end the L2 has, which nobody visits
                visit<<<blocks, 1>>>(memory, sector, counts);
            },
            blocks);
        report(cycles, "cycles", "l2_fetched_sector_%d_%d_SMs", sector, blocks);
    }
}

int main(void)
{
    wake_up();
    const size_t visited = (size_t)132 * LINES * LINES_APART * LINE_BYTES,
                 rows = (size_t)33024 * 132 * 128, // for a warp of 128 on each of 132 SMs
        most = (visited > rows ? visited : rows) + attribute(cudaDevAttrL2CacheSize);
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
    for (int blocks : {1, 8, 33, 132})
        measure_visit((float *)memory, most, blocks);
    CHECK(cudaFree(memory));
    return 0;
}
