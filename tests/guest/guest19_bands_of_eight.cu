// A first kernel without shared memory: a block of 32 x 8 threads takes eight rows, a warp each, and goes along all of
// them in a strided loop. Together, the warps fill sectors of the output.
#include "step.h"

__global__ void transpose_bands_of_eight(float *out, const float *in, size_t n)
{
    size_t row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row < n) {
        for (size_t col = threadIdx.x; col < n; col += blockDim.x)
            out[col * n + row] = in[row * n + col];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 threads(32, 8);
    int blocks = (n + threads.y - 1) / threads.y;
    transpose_bands_of_eight<<<blocks, threads>>>(out, in, n);
}

STEP(19, PARALLELISE, "eight rows a block, 32 x 8", "a loop along the rows")
