// Four warps a block, each with a padded tile of its own: eight loads in flight, and no barrier of the block.
#include "step.h"

enum { SIDE = 32, WARPS = 4, IN_FLIGHT = 8 };

__global__ void transpose_tile_per_warp(float *out, const float *in, int n)
{
    __shared__ float tiles[WARPS][SIDE][SIDE + 1];
    float(*tile)[SIDE + 1] = tiles[threadIdx.y];
    int left = (blockIdx.x * WARPS + threadIdx.y) * SIDE, top = blockIdx.y * SIDE;
    int x = left + threadIdx.x;
    for (int first = 0; first < SIDE; first += IN_FLIGHT) {
        float v[IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++)
            v[k] = x < n && top + first + k < n ? in[(size_t)(top + first + k) * n + x] : 0;
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++)
            tile[first + k][threadIdx.x] = v[k];
    }
    __syncwarp();
    x = top + threadIdx.x;
#pragma unroll 8
    for (int row = 0; row < SIDE; row++)
        if (x < n && left + row < n)
            out[(size_t)(left + row) * n + x] = tile[threadIdx.x][row];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + WARPS * SIDE - 1) / (WARPS * SIDE), (n + SIDE - 1) / SIDE);
    transpose_tile_per_warp<<<grid, dim3(SIDE, WARPS)>>>(out, in, n);
}

STEP(49, OPTIMISE, "a padded tile a warp, 32 x 4", "warps that wait for no other")
