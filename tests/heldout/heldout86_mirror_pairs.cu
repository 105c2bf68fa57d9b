// Each block has a tile and its mirror image across the diagonal, as if to transpose in place: the grid is a triangle
// of tiles in one dimension, and a square root tells which is whose.
#include "step.h"

#define SIDE 32
#define ROWS 8

__device__ static void read_tile(float (*tile)[SIDE + 1], const float *in, int n, int tile_row,
                                 int tile_col)
{
    int col = tile_col * SIDE + threadIdx.x;
    for (int i = threadIdx.y; i < SIDE; i += ROWS) {
        int row = tile_row * SIDE + i;
        if (row < n && col < n)
            tile[i][threadIdx.x] = in[(size_t)row * n + col];
    }
}

__device__ static void write_turned(float *out, const float (*tile)[SIDE + 1], int n, int tile_row,
                                    int tile_col)
{
    int col = tile_col * SIDE + threadIdx.x;
    for (int i = threadIdx.y; i < SIDE; i += ROWS) {
        int row = tile_row * SIDE + i;
        if (row < n && col < n)
            out[(size_t)row * n + col] = tile[threadIdx.x][i];
    }
}

__global__ void transpose_mirror_pairs(float *out, const float *in, int n)
{
    __shared__ float lower[SIDE][SIDE + 1], upper[SIDE][SIDE + 1];

    // Row i of the triangle starts at block i * (i + 1) / 2.
    int b = blockIdx.x;
    int i = (int)((sqrtf(8.0f * b + 1.0f) - 1.0f) / 2.0f);
    while (i * (i + 1) / 2 > b)
        i--;
    while ((i + 1) * (i + 2) / 2 <= b)
        i++;
    int j = b - i * (i + 1) / 2;

    read_tile(lower, in, n, i, j);
    if (i != j)
        read_tile(upper, in, n, j, i);
    __syncthreads();
    write_turned(out, lower, n, j, i);
    if (i != j)
        write_turned(out, upper, n, i, j);
}

static void launch(float *out, const float *in, size_t n)
{
    size_t tiles = (n + SIDE - 1) / SIDE;
    transpose_mirror_pairs<<<tiles *(tiles + 1) / 2, dim3(SIDE, ROWS)>>>(out, in, n);
}

STEP(86, OPTIMISE, "mirrored tiles, triangular grid", "a block turns two tiles, as if in place")
