// Blocks of one warp with a padded tile of 32 x 16, sixteen loads in flight, and no barrier but the warp's.
#include "step.h"

enum { ACROSS = 32, DOWN = 16 };

__global__ void transpose_one_warp(float *out, const float *in, int n)
{
    __shared__ float tile[DOWN][ACROSS + 2];
    int x = blockIdx.x * ACROSS + threadIdx.x, y = blockIdx.y * DOWN;
#pragma unroll
    for (int k = 0; k < DOWN; k++)
        if (x < n && y + k < n)
            tile[k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncwarp();
    int column = threadIdx.x % DOWN, first = threadIdx.x / DOWN;
    x = blockIdx.y * DOWN + column;
    y = blockIdx.x * ACROSS + first;
#pragma unroll
    for (int k = 0; k < ACROSS; k += ACROSS / DOWN)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[column][first + k];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + ACROSS - 1) / ACROSS, (n + DOWN - 1) / DOWN);
    transpose_one_warp<<<grid, ACROSS>>>(out, in, n);
}

STEP(48, OPTIMISE, "padded tile 32 x 16, one warp", "blocks of one warp")
