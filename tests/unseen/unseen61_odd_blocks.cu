// One thread per element in blocks of 24 x 10, where a warp holds a row and a third.
#include "../kernels/launch.h"

__global__ void transpose_odd_blocks(float *out, const float *in, int n)
{
    int col = blockIdx.x * 24 + threadIdx.x;
    int row = blockIdx.y * 10 + threadIdx.y;
    if (col >= n || row >= n)
        return;
    float value = in[row * n + col];
    out[col * n + row] = value;
}

LAUNCH_2D(transpose_odd_blocks, 24, 10, 24, 10)
STEP(61, PARALLELISE, "element per thread, 24 x 10", "a block that is no multiple of a warp")
