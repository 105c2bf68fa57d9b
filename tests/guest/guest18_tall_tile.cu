// A tall padded tile, 32 across and 128 down, so that a row of the turned tile is 512 bytes: a warp writes it with 16
// bytes a lane, which it gathers from four rows of shared memory. 32 x 8 threads.
#include "step.h"

#define TILE_COLS 32
#define TILE_ROWS 128
#define BLOCK_Y 8

template <bool VECTOR>
__global__ void transpose_tall_tile(float *__restrict__ out, const float *__restrict__ in,
                                    unsigned n)
{
    __shared__ float tile[TILE_ROWS][TILE_COLS + 1];

    const unsigned col0 = blockIdx.x * TILE_COLS;
    const unsigned row0 = blockIdx.y * TILE_ROWS;

    const unsigned col = col0 + threadIdx.x;
#pragma unroll
    for (unsigned j = 0; j < TILE_ROWS; j += BLOCK_Y) {
        const unsigned r = threadIdx.y + j;
        if (col < n && row0 + r < n)
            tile[r][threadIdx.x] = __ldg(in + (size_t)(row0 + r) * n + col);
    }
    __syncthreads();

#pragma unroll
    for (unsigned j = 0; j < TILE_COLS; j += BLOCK_Y) {
        const unsigned c = threadIdx.y + j;
        if (col0 + c >= n)
            continue;
        float *to = out + (size_t)(col0 + c) * n + row0;
        if (VECTOR) {
            const unsigned r = threadIdx.x * 4;
            if (row0 + r < n) {
                float4 v;
                v.x = tile[r][c];
                v.y = tile[r + 1][c];
                v.z = tile[r + 2][c];
                v.w = tile[r + 3][c];
                *(float4 *)(to + r) = v;
            }
        } else {
            for (unsigned r = threadIdx.x; r < TILE_ROWS; r += TILE_COLS)
                if (row0 + r < n)
                    to[r] = tile[r][c];
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 block(TILE_COLS, BLOCK_Y);
    dim3 grid((n + TILE_COLS - 1) / TILE_COLS, (n + TILE_ROWS - 1) / TILE_ROWS);
    if (n % 4 == 0)
        transpose_tall_tile<true><<<grid, block>>>(out, in, n);
    else
        transpose_tall_tile<false><<<grid, block>>>(out, in, n);
}

STEP(18, OPTIMISE, "padded tile 32 x 128, 32 x 8", "words in, 16 bytes out, 512-byte rows")
