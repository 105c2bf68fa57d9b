// Mystery 3, solved: each block counts in its shared memory, and adds what it has to the counts of all once.
#include "mysteries/mystery3.h"

enum { THREADS = 256, EACH = 32 };

__global__ void solved3(unsigned *counts, const unsigned *in, size_t count, size_t bins)
{
    __shared__ unsigned of_block[BINS];
    for (int bin = threadIdx.x; bin < BINS; bin += THREADS)
        of_block[bin] = 0;
    __syncthreads();

    size_t first = (size_t)blockIdx.x * THREADS * EACH + threadIdx.x;
    for (int k = 0; k < EACH; k++)
        if (first + k * THREADS < count)
            atomicAdd(&of_block[bin_of(in[first + k * THREADS])], 1);
    __syncthreads();

    for (int bin = threadIdx.x; bin < bins; bin += THREADS)
        atomicAdd(&counts[bin], of_block[bin]);
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned a_block = THREADS * EACH;
    cudaMemsetAsync(out, 0, bins_of(n) * sizeof(unsigned));
    solved3<<<(n * n + a_block - 1) / a_block, THREADS>>>((unsigned *)out, (const unsigned *)in,
                                                          n * n, bins_of(n));
}

SOLUTION(3, "counts of a block in shared memory", compute, useful_bytes)
