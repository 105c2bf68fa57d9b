// The padded tile, with the blocks in no order: a block's number times a large prime, modulo the tiles, is its tile's.
// Blocks of 32 x 4, and no two that follow each other are neighbours.
#include "step.h"

enum { SIDE = 32, ROWS = 4 };

__global__ void transpose_hashed_order(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];

    const unsigned prime = 1000003; // divides no square of so few tiles
    const unsigned across = (n + SIDE - 1) / SIDE;
    const unsigned number = (unsigned long long)blockIdx.x * prime % (across * across);
    const int left = number % across * SIDE;
    const int top = number / across * SIDE;
    const int x = threadIdx.x;

    for (int i = threadIdx.y; i < SIDE; i += ROWS)
        if (left + x < n && top + i < n)
            tile[i][x] = __ldg(in + (size_t)(top + i) * n + left + x);
    __syncthreads();
    for (int i = threadIdx.y; i < SIDE; i += ROWS)
        if (top + x < n && left + i < n)
            out[(size_t)(left + i) * n + top + x] = tile[x][i];
}

static void launch(float *out, const float *in, size_t n)
{
    size_t across = (n + SIDE - 1) / SIDE;
    transpose_hashed_order<<<across * across, dim3(SIDE, ROWS)>>>(out, in, n);
}

STEP(98, OPTIMISE, "padded tile, hashed order, 32 x 4", "blocks that are neighbours of none")
