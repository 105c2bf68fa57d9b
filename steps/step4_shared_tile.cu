// Step 4: a block turns a tile around in shared memory, so reads and writes both run along rows.
#include "step.h"
#include "tile_without_rows.h"

__global__ void transpose_shared_tile(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x; // the tile's place across the diagonal
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    dim3 grid(tiles, tiles), threads(TILE, TILE);
    transpose_shared_tile<<<grid, threads>>>(out, in, n);
}

STEP(4, OPTIMISE, "tile in shared memory", "tiles are turned in shared memory")
