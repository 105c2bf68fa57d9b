// Planted bug: even and odd columns wait at barriers of their own, in one warp.
#include "../kernels/launch.h"
#include "tile.h"

__global__ void two_barriers(float *out, const float *in, size_t n)
{
    __shared__ float line[TILE];
    size_t col = (size_t)blockIdx.x * TILE + threadIdx.x, row = blockIdx.y;
    if (threadIdx.x % 2) {
        line[threadIdx.x] = col < n ? in[row * n + col] : 0;
        __syncthreads();
    } else {
        line[threadIdx.x] = col < n ? -in[row * n + col] : 0;
        __syncthreads();
        line[threadIdx.x] = -line[threadIdx.x];
    }
    if (col < n)
        out[col * n + row] = line[threadIdx.x ^ 1];
}

LAUNCH_ROWS(two_barriers, TILE)
STEP(124, DEPLOY, "two barriers", "a barrier in each branch")
