// Planted bug: a block of 2048 threads, twice what any GPU takes.
#include "step.h"

__global__ void large_block(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    large_block<<<dim3((n + 2047) / 2048, n), 2048>>>(out, in, n);
}

STEP(51, OPTIMISE, "block too large", "a planted bug")
