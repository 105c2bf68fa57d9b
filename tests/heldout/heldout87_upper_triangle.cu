// A swap without a tile: the threads on and above the diagonal move two elements each, one either way, and all those
// below it leave at once.
#include "../kernels/launch.h"

__global__ void transpose_upper_triangle(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col >= n || row > col)
        return;

    float above = in[row * n + col];
    float below = in[col * n + row];
    out[row * n + col] = below;
    out[col * n + row] = above;
}

LAUNCH_TILES(transpose_upper_triangle, 16)
STEP(87, PARALLELISE, "upper triangle swaps, 16 x 16", "half of the blocks have nothing to do")
