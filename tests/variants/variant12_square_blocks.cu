// One thread per element in square blocks: eight rows of a block fill a sector of the output.
#include "step.h"

__global__ void transpose_square_blocks(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)x * n + y] = in[(size_t)y * n + x];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned blocks = (n + 15) / 16;
    transpose_square_blocks<<<dim3(blocks, blocks), dim3(16, 16)>>>(out, in, n);
}

STEP(12, PARALLELISE, "element per thread, 16 x 16", "square blocks")
