// Step 5: a padding column spreads the tile's columns over all banks; fewer threads share a
// barrier.
#include "step.h"
#include "tile.h"

__global__ void transpose_padded_tile(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    dim3 grid(tiles, tiles), threads(TILE, ROWS);
    transpose_padded_tile<<<grid, threads>>>(out, in, n);
}

STEP(5, OPTIMISE, "padded tile, fewer threads", "a padding column, and blocks of TILE x ROWS")
