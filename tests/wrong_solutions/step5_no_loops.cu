// Planted mistake: neither loop is there: most of the tile is never filled.
#include "step.h"
#include "tile.h"

__global__ void no_loops(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    dim3 grid(tiles, tiles), threads(TILE, ROWS);
    no_loops<<<grid, threads>>>(out, in, n);
}

EXERCISE(5, OPTIMISE, "my padded tile", "a padding column, and blocks of TILE x ROWS",
         {"gld_efficiency", AT_LEAST, 100}, {"gst_efficiency", AT_LEAST, 100},
         {"shared_replay_overhead", AT_MOST, 0})
