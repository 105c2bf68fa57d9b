// Planted bug: the last row of threads writes below the tile.
#include "../kernels/launch.h"
#include "tile.h"

__global__ void off_by_one_tile(float *out, const float *in, size_t n)
{
    __shared__ float tile[TILE][TILE];
    size_t x = (size_t)blockIdx.x * TILE + threadIdx.x;
    size_t y = (size_t)blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y + 1][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = (size_t)blockIdx.y * TILE + threadIdx.x;
    y = (size_t)blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x + 1][threadIdx.y];
}

LAUNCH_TILES(off_by_one_tile, TILE)
STEP(104, DEPLOY, "off by one tile", "the tile is used from row 1")
