// Atomics that many threads send to few words: updates a cycle, of the whole GPU.
//
// The lanes of a warp, and the warps, go through the words in turn; neighbouring words lie so many bytes apart. Sums
// without a result, as a histogram's are.
#include "micro.h"

enum { THREADS = 256, UPDATES = 64, BLOCKS_EACH = 8, MOST_BYTES = 1 << 20 };

__device__ void add_one(unsigned *word)
{
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
}

__global__ void __launch_bounds__(THREADS) update(unsigned *words, unsigned count, unsigned apart)
{
    unsigned thread = blockIdx.x * THREADS + threadIdx.x;
    unsigned *word = words + thread % count * apart;
    for (int i = 0; i < UPDATES; i++)
        add_one(word);
}

static void measure(unsigned *words, unsigned count, unsigned bytes_apart)
{
    const int blocks = BLOCKS_EACH * multiprocessors();
    unsigned apart = bytes_apart / (unsigned)sizeof *words;
    double ms = time_ms([=] { update<<<blocks, THREADS>>>(words, count, apart); });
    report((double)blocks * THREADS * UPDATES / cycles_in(ms), "updates/cycle",
           "atomics_%u_words_%u_bytes_apart", count, bytes_apart);
}

int main(void)
{
    wake_up();
    unsigned *words;
    CHECK(cudaMalloc(&words, MOST_BYTES));
    CHECK(cudaMemset(words, 0, MOST_BYTES));
    for (unsigned count = 1; count <= 1024; count *= 2)
        measure(words, count, sizeof *words);
    for (unsigned count = 2; count <= 1024; count *= 2)
        measure(words, count, LINE_BYTES);
    for (unsigned count = 2; count <= 1024; count *= 2)
        measure(words, count, LINE_BYTES / 4);
    CHECK(cudaFree(words));
    return 0;
}
