// Planted bug: a block of 2048 threads, twice what any GPU takes.
#include "../kernels/launch.h"

__global__ void large_block(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

LAUNCH_ROWS(large_block, 2048)
STEP(51, OPTIMISE, "block too large", "a planted bug")
