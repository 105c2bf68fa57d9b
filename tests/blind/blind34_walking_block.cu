// A block of 32 x 32 threads walks along eight padded tiles of its row, with two barriers a tile.
#include "step.h"

enum { SIDE = 32, TILES = 8 };

__global__ void transpose_walking_block(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int top = blockIdx.y * SIDE;
    for (int t = 0; t < TILES; t++) {
        int left = (blockIdx.x * TILES + t) * SIDE;
        int x = left + threadIdx.x, y = top + threadIdx.y;
        if (x < n && y < n)
            tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
        __syncthreads();
        x = top + threadIdx.x;
        y = left + threadIdx.y;
        if (x < n && y < n)
            out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 threads(SIDE, SIDE), grid((n + SIDE * TILES - 1) / (SIDE * TILES), (n + SIDE - 1) / SIDE);
    transpose_walking_block<<<grid, threads>>>(out, in, n);
}

STEP(34, OPTIMISE, "block walks 8 tiles, 32 x 32", "many barriers in blocks of 1024")
