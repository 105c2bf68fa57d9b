// Mystery 3: how many elements fall into each of 64 bins, an element a thread.
#include "mysteries/mystery3.h"

__global__ void mystery3(unsigned *counts, const unsigned *in, size_t count, size_t bins)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;

    unsigned bin = bin_of(in[i]);
    if (bin < bins)
        atomicAdd(&counts[bin], 1);
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 256;
    cudaMemsetAsync(out, 0, bins_of(n) * sizeof(unsigned));
    mystery3<<<(n * n + threads - 1) / threads, threads>>>((unsigned *)out, (const unsigned *)in,
                                                           n * n, bins_of(n));
}

MYSTERY(3, compute, useful_bytes)
