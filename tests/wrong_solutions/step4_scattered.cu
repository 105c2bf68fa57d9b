// Planted mistake: no tile: a block only walks a square, and its stores are as scattered as before.
#include "step.h"
#include "tile.h"

__global__ void scattered(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)x * n + y] = in[(size_t)y * n + x];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    dim3 grid(tiles, tiles), threads(TILE, TILE);
    scattered<<<grid, threads>>>(out, in, n);
}

EXERCISE(4, OPTIMISE, "my tile in shared memory", "tiles are turned in shared memory",
         {"gld_efficiency", AT_LEAST, 100}, {"gst_efficiency", AT_LEAST, 100})
