// A whole block of 320 threads for each row of the output, which gathers a column of the input by __ldg.
#include "step.h"

__global__ void transpose_block_per_row(float *out, const float *in, size_t n)
{
    const float *column = in + blockIdx.x;
    float *row = out + blockIdx.x * n;
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        row[i] = __ldg(column + i * n);
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_block_per_row<<<n, 320>>>(out, in, n);
}

STEP(64, PARALLELISE, "block per output row, 320 x 1", "a block gathers a column")
