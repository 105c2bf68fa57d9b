// A padded tile of 64 x 64, loads and stores of 8 bytes, and pairs that meet two by two in the banks.
#include "step.h"

enum { SIDE = 64, STEP_ROWS = 8 };

__global__ void transpose_pairs_both_ways(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int column = threadIdx.x * 2;
    int x = blockIdx.x * SIDE + column, y = blockIdx.y * SIDE;
    for (int row = threadIdx.y; row < SIDE; row += STEP_ROWS) {
        const float *from = in + (size_t)(y + row) * n + x;
        if (n % 2 == 0 && x < n && y + row < n) {
            float2 v = *(const float2 *)from;
            tile[row][column] = v.x;
            tile[row][column + 1] = v.y;
        } else if (y + row < n) {
            for (int i = 0; i < 2 && x + i < n; i++)
                tile[row][column + i] = from[i];
        }
    }
    __syncthreads();
    x = blockIdx.y * SIDE + column;
    y = blockIdx.x * SIDE;
    for (int row = threadIdx.y; row < SIDE; row += STEP_ROWS) {
        float *to = out + (size_t)(y + row) * n + x;
        if (n % 2 == 0 && x < n && y + row < n)
            *(float2 *)to = make_float2(tile[column][row], tile[column + 1][row]);
        else if (y + row < n)
            for (int i = 0; i < 2 && x + i < n; i++)
                to[i] = tile[column + i][row];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + SIDE - 1) / SIDE;
    transpose_pairs_both_ways<<<dim3(tiles, tiles), dim3(SIDE / 2, STEP_ROWS)>>>(out, in, n);
}

STEP(44, OPTIMISE, "padded tile 64 x 64, 8 bytes", "pairs in and out of the tile")
