// Tiles of 48 x 48, padded, by 192 threads in a line, which are four rows of it; in a grid of one dimension. Tiles
// that lie within the matrix are moved without a check.
#include "step.h"

enum { SIDE = 48, THREADS = 192, ROWS = THREADS / SIDE };

__global__ void __launch_bounds__(THREADS)
    transpose_forty_eight(float *__restrict__ out, const float *__restrict__ in, int n, int tiles)
{
    __shared__ float tile[SIDE][SIDE + 1];

    const int down = blockIdx.x / tiles, right = blockIdx.x - down * tiles;
    const int i = threadIdx.x / SIDE, j = threadIdx.x % SIDE;
    const int width = min(SIDE, n - right * SIDE), height = min(SIDE, n - down * SIDE);

    const float *from = in + (size_t)(down * SIDE + i) * n + right * SIDE + j;
    if (width == SIDE && height == SIDE) {
#pragma unroll
        for (int row = 0; row < SIDE; row += ROWS, from += (size_t)ROWS * n)
            tile[row + i][j] = *from;
    } else if (j < width) {
        for (int row = i; row < height; row += ROWS, from += (size_t)ROWS * n)
            tile[row][j] = *from;
    }
    __syncthreads();

    float *to = out + (size_t)(right * SIDE + i) * n + down * SIDE + j;
    if (width == SIDE && height == SIDE) {
#pragma unroll
        for (int row = 0; row < SIDE; row += ROWS, to += (size_t)ROWS * n)
            *to = tile[j][row + i];
    } else if (j < height) {
        for (int row = i; row < width; row += ROWS, to += (size_t)ROWS * n)
            *to = tile[j][row];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    int tiles = (n + SIDE - 1) / SIDE;
    transpose_forty_eight<<<tiles * tiles, THREADS>>>(out, in, n, tiles);
}

STEP(35, OPTIMISE, "padded tile 48 x 48, 192 x 1", "a row is a warp and a half")
