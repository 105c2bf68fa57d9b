// Rows padded by four words, so that 16 bytes go into the tile at once; columns have four-way conflicts.
#include "step.h"

__global__ void transpose_padded_by_four(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[32][36];
    int top = blockIdx.x * 32, left = blockIdx.y * 32; // blocks go down the columns of tiles

    int row = threadIdx.x / 8, col = threadIdx.x % 8 * 4;
    const float *from = in + (size_t)(top + row) * n + left + col;
    if (top + row < n) {
        if (n % 4 == 0) {
            if (left + col < n)
                *(float4 *)&tile[row][col] = *(const float4 *)from;
        } else {
            for (int i = 0; i < 4; i++)
                if (left + col + i < n)
                    tile[row][col + i] = from[i];
        }
    }
    __syncthreads();

    int lane = threadIdx.x % 32;
    for (int k = threadIdx.x / 32; k < 32; k += 8)
        if (left + k < n && top + lane < n)
            out[(size_t)(left + k) * n + top + lane] = tile[lane][k];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + 31) / 32;
    transpose_padded_by_four<<<dim3(tiles, tiles), 256>>>(out, in, n);
}

STEP(80, OPTIMISE, "tile 32 x 36, 16-byte loads", "padded by four words, down columns")
