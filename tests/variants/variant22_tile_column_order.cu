// The padded tile, but blocks walk down the columns of tiles: now the loads jump and the stores follow.
#include "step.h"

enum { SIDE = 32, STEP_ROWS = 8 };

__global__ void transpose_tile_column_order(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.y * SIDE + threadIdx.x, y = blockIdx.x * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.x * SIDE + threadIdx.x;
    y = blockIdx.y * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + SIDE - 1) / SIDE;
    transpose_tile_column_order<<<dim3(tiles, tiles), dim3(SIDE, STEP_ROWS)>>>(out, in, n);
}

STEP(22, OPTIMISE, "padded tile, blocks down columns", "the order of the blocks")
