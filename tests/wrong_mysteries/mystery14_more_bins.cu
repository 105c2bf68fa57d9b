// Mystery 3 with twice the bins: what lies behind the counts is not to be written.
#include "mysteries/mystery3.h"

__global__ void more_bins(unsigned *counts, const unsigned *in, size_t count, size_t bins)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count && bin_of(in[i]) < bins)
        atomicAdd(&counts[bin_of(in[i])], 1);
}

static void launch(float *out, const float *in, size_t n)
{
    cudaMemsetAsync(out, 0, 2 * bins_of(n) * sizeof(unsigned));
    more_bins<<<(n * n + 255) / 256, 256>>>((unsigned *)out, (const unsigned *)in, n * n,
                                            bins_of(n));
}

MYSTERY(14, compute, useful_bytes)
