// Planted bug: threads outside the matrix skip the barrier.
#include "../kernels/launch.h"
#include "tile.h"

__global__ void divergent_barrier(float *out, const float *in, size_t n)
{
    __shared__ float tile[TILE][TILE + 1];
    size_t x = (size_t)blockIdx.x * TILE + threadIdx.x;
    size_t y = (size_t)blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n) {
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
        __syncthreads();
    }
    x = (size_t)blockIdx.y * TILE + threadIdx.x;
    y = (size_t)blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

LAUNCH_TILES(divergent_barrier, TILE)
STEP(106, DEPLOY, "divergent barrier", "the barrier is under the guard")
