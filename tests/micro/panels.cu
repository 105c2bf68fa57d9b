// How many rounds of a loop are between two blocks side by side that meet twice in each: they load columns of a panel of some rows
// and store them as rows of the output, beside what the next panel's block stores, so that sectors are whole once both have.
#include "micro.h"

enum { THREADS = 192, ROUNDS = 32, SECTOR_WORDS = SECTOR_BYTES / 4, MOST_BLOCKS = 8 };

template <int words>
__global__ void __launch_bounds__(THREADS)
    walk(const float *in, float *out, size_t pitch, unsigned long long *when)
{
    extern __shared__ float packed[];
    for (unsigned round = 0; round < ROUNDS; round++) {
        const size_t first = round * THREADS;
        float got[words];
#pragma unroll
        for (int i = 0; i < words; i++)
            got[i] = __ldcg(in + ((size_t)blockIdx.x * words + i) * ROUNDS * THREADS + first +
                            threadIdx.x);
#pragma unroll
        for (int i = 0; i < words; i++)
            packed[threadIdx.x * (words + 1) + i] = got[i];
        __syncthreads();
        for (unsigned i = threadIdx.x; i < THREADS * words; i += THREADS)
            out[(first + i / words) * pitch + blockIdx.x * words + i % words] =
                packed[i / words * (words + 1) + i % words];
        if (threadIdx.x == 0)
            when[blockIdx.x * ROUNDS + round] = now_ns();
        __syncthreads();
    }
}

// Of blocks of so many rows each, in rows of the output that start so many words behind a line.
template <int words>
static void measure(const float *in, float *out, int resident, unsigned behind)
{
    const int blocks = resident * multiprocessors();
    const size_t lines = ((size_t)blocks * words + LINE_WORDS - 1) / LINE_WORDS,
                 pitch = lines * LINE_WORDS + behind;
    const unsigned shared = shared_of_block(resident);
    CHECK(cudaFuncSetAttribute(walk<words>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double apart = rounds_apart(blocks, ROUNDS, [=](unsigned long long *when) {
        walk<words><<<blocks, THREADS, shared>>>(in, out, pitch, when);
    });
    report(apart, "rounds", "panels_%d_rows_%d_blocks_%s_apart", words, resident,
           words % SECTOR_WORDS || behind ? "sharing" : "alone");
}

int main(void)
{
    enum { MOST_WORDS = 20, BEHIND = 3 };
    wake_up();
    float *in, *out;
    const size_t rows = (size_t)ROUNDS * THREADS,
                 panels = (size_t)multiprocessors() * MOST_BLOCKS * MOST_WORDS;
    CHECK(cudaMalloc(&in, rows * panels * sizeof *in));
    CHECK(cudaMalloc(&out, rows * (panels + LINE_WORDS + BEHIND) * sizeof *out));
    CHECK(cudaMemset(in, 0, rows * panels * sizeof *in));
    for (int resident = 1; resident <= MOST_BLOCKS; resident *= 2) {
        measure<8>(in, out, resident, 0);
        measure<16>(in, out, resident, 0);
        measure<12>(in, out, resident, 0);
        measure<16>(in, out, resident, BEHIND);
        measure<20>(in, out, resident, 0);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
