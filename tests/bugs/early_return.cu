// Planted bug: threads outside the matrix return before the barrier, which is allowed, but some of
// them had elements of the turned tile to write.
#include "../kernels/launch.h"
#include "tile.h"

__global__ void early_return(float *out, const float *in, size_t n)
{
    __shared__ float tile[TILE][TILE + 1];
    size_t x = (size_t)blockIdx.x * TILE + threadIdx.x;
    size_t y = (size_t)blockIdx.y * TILE + threadIdx.y;
    if (x >= n || y >= n)
        return;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = (size_t)blockIdx.y * TILE + threadIdx.x;
    y = (size_t)blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

LAUNCH_TILES(early_return, TILE)
STEP(107, DEPLOY, "early return", "a return before the barrier")
