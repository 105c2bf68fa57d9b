// Warps with roles: of a block of 32 x 4 x 2 threads the one half only loads tiles, and the other half stores them, a
// tile later. Two buffers, one barrier a tile, and 16 tiles along a row for each block.
#include "step.h"

enum { TILE = 32, ROWS = 4, TILES_A_BLOCK = 16, LOADER = 0 };

__global__ void transpose_loaders_and_storers(float *out, const float *in, int n)
{
    __shared__ float buffers[2][TILE][TILE + 1];

    const int x = threadIdx.x, y = threadIdx.y;
    const int top = blockIdx.y * TILE;
    const int start = blockIdx.x * TILES_A_BLOCK * TILE;

    for (int turn = 0; turn <= TILES_A_BLOCK; turn++) {
        if (threadIdx.z == LOADER) {
            int left = start + turn * TILE;
            if (turn < TILES_A_BLOCK && left + x < n) {
#pragma unroll
                for (int i = 0; i < TILE; i += ROWS)
                    if (top + y + i < n)
                        buffers[turn % 2][y + i][x] = in[(size_t)(top + y + i) * n + left + x];
            }
        } else if (turn > 0 && top + x < n) {
            int left = start + (turn - 1) * TILE;
#pragma unroll
            for (int i = 0; i < TILE; i += ROWS)
                if (left + y + i < n)
                    out[(size_t)(left + y + i) * n + top + x] = buffers[(turn - 1) % 2][x][y + i];
        }
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    dim3 grid((tiles + TILES_A_BLOCK - 1) / TILES_A_BLOCK, tiles);
    transpose_loaders_and_storers<<<grid, dim3(TILE, ROWS, 2)>>>(out, in, n);
}

STEP(94, OPTIMISE, "warps load or store, 32 x 4 x 2", "roles for warps, two buffers")
