// The padded tile, but blocks walk down the columns of tiles: now the loads jump and the stores follow.
#include "../kernels/launch.h"

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

LAUNCH_2D(transpose_tile_column_order, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(22, OPTIMISE, "padded tile, blocks down columns", "the order of the blocks")
