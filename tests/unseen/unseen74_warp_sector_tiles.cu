// Each of 16 warps turns a tile of its own, 32 wide and 8 high, with __syncwarp in place of barriers.
#include "step.h"

#define WARPS 16

__global__ void transpose_warp_sector_tiles(float *out, const float *in, int n)
{
    __shared__ float tiles[WARPS][8][36]; // 36: eight rows of four words touch all the banks once

    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    float(*tile)[36] = tiles[warp];
    int left = blockIdx.x * 32;
    int top = (blockIdx.y * WARPS + warp) * 8;

#pragma unroll
    for (int r = 0; r < 8; r++)
        if (left + lane < n && top + r < n)
            tile[r][lane] = in[(top + r) * n + left + lane];
    __syncwarp();

    int r = lane & 7;
#pragma unroll
    for (int c = lane >> 3; c < 32; c += 4)
        if (left + c < n && top + r < n)
            out[(left + c) * n + top + r] = tile[r][c];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + 31) / 32, (n + 8 * WARPS - 1) / (8 * WARPS));
    transpose_warp_sector_tiles<<<grid, 32 * WARPS>>>(out, in, n);
}

STEP(74, OPTIMISE, "tile 32 x 8 a warp, 512 x 1", "__syncwarp, stores of a sector")
