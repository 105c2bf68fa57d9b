// One thread per element in square blocks: eight rows of a block fill a sector of the output.
#include "../kernels/launch.h"

__global__ void transpose_square_blocks(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)x * n + y] = in[(size_t)y * n + x];
}

LAUNCH_TILES(transpose_square_blocks, 16)
STEP(12, PARALLELISE, "element per thread, 16 x 16", "square blocks")
