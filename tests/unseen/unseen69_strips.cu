// A padded tile of 64 x 32; the blocks go down the matrix in strips that are eight tiles wide.
#include "step.h"

enum { TILE_W = 64, TILE_H = 32, STRIP = 8, THREADS = 512 };

__global__ void transpose_strips(float *out, const float *in, int n, int tiles_down)
{
    __shared__ float tile[TILE_H][TILE_W + 1];

    int strip = blockIdx.x / (STRIP * tiles_down);
    int within = blockIdx.x % (STRIP * tiles_down);
    int x0 = (strip * STRIP + within % STRIP) * TILE_W;
    int y0 = within / STRIP * TILE_H;
    if (x0 >= n)
        return;

    int tx = threadIdx.x % TILE_W, ty = threadIdx.x / TILE_W;
    for (int k = ty; k < TILE_H; k += THREADS / TILE_W)
        if (x0 + tx < n && y0 + k < n)
            tile[k][tx] = in[(y0 + k) * n + x0 + tx];
    __syncthreads();

    tx = threadIdx.x % TILE_H, ty = threadIdx.x / TILE_H;
    for (int k = ty; k < TILE_W; k += THREADS / TILE_H)
        if (y0 + tx < n && x0 + k < n)
            out[(x0 + k) * n + y0 + tx] = tile[tx][k];
}

static void launch(float *out, const float *in, size_t n)
{
    int across = (n + TILE_W - 1) / TILE_W, down = (n + TILE_H - 1) / TILE_H;
    int strips = (across + STRIP - 1) / STRIP;
    transpose_strips<<<strips * STRIP * down, THREADS>>>(out, in, n, down);
}

STEP(69, OPTIMISE, "padded tile 64 x 32 in strips", "super-blocks eight tiles wide")
