// Planted mistake: the loop goes one turn too far, beyond the tile.
#include "step.h"
#include "tile.h"

__global__ void loop_too_far(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k <= TILE; k += ROWS)
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
    loop_too_far<<<grid, threads>>>(out, in, n);
}

EXERCISE(5, OPTIMISE, "my padded tile", "a padding column, and blocks of TILE x ROWS",
         {"gld_efficiency", AT_LEAST, 100}, {"gst_efficiency", AT_LEAST, 100},
         {"shared_replay_overhead", AT_MOST, 0})
