// One element a thread, 256 threads in a row, and blocks that follow each other go down the rows.
#include "step.h"

__global__ void transpose_one_row_blocks(float *out, const float *in, int n)
{
    int x = blockIdx.y * blockDim.x + threadIdx.x, y = blockIdx.x;
    if (x < n)
        out[(size_t)x * n + y] = in[(size_t)y * n + x];
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_one_row_blocks<<<dim3(n, (n + 255) / 256), 256>>>(out, in, n);
}

STEP(31, PARALLELISE, "element per thread, 256 x 1", "blocks of one row, down the rows")
