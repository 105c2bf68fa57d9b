// Planted bug: the mask of a __syncwarp() names half of the lanes that execute it.
#include "../kernels/launch.h"

__global__ void syncwarp_unnamed(float *out, const float *in, size_t n)
{
    __shared__ float tile[128];
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    tile[threadIdx.x] = col < n ? in[row * n + col] : 0;
    __syncwarp(0xffff);
    if (col < n)
        out[col * n + row] = tile[threadIdx.x ^ 1];
}

LAUNCH_ROWS(syncwarp_unnamed, 128)
STEP(149, DEPLOY, "syncwarp unnamed", "lanes 16 to 31 are not in the mask")
