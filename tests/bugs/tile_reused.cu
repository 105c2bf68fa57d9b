// Planted bug: the next tile is loaded while others still read this one.
#include "step.h"
#include "tile.h"

__global__ void tile_reused(float *out, const float *in, size_t n)
{
    __shared__ float tile[TILE][TILE + 1];
    for (size_t first = 0; first < n; first += TILE) {
        size_t x = first + threadIdx.x, y = (size_t)blockIdx.x * TILE + threadIdx.y;
        if (x < n && y < n)
            tile[threadIdx.y][threadIdx.x] = in[y * n + x];
        __syncthreads();
        x = (size_t)blockIdx.x * TILE + threadIdx.x, y = first + threadIdx.y;
        if (x < n && y < n)
            out[y * n + x] = tile[threadIdx.x][threadIdx.y];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    tile_reused<<<tiles, dim3(TILE, TILE)>>>(out, in, n);
}

STEP(118, DEPLOY, "tile reused", "one barrier a tile, not two")
