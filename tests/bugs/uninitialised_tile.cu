// Planted bug: half of the tile is never filled.
#include "../kernels/launch.h"
#include "tile.h"

__global__ void uninitialised_tile(float *out, const float *in, size_t n)
{
    __shared__ float tile[TILE][TILE + 1];
    size_t x = (size_t)blockIdx.x * TILE + threadIdx.x;
    size_t y = (size_t)blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n && threadIdx.y < TILE / 2)
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = (size_t)blockIdx.y * TILE + threadIdx.x;
    y = (size_t)blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

LAUNCH_TILES(uninitialised_tile, TILE)
STEP(105, DEPLOY, "uninitialised tile", "half of the threads load")
