// A tile of 32 x 32 without padding: a warp reads it along diagonals, which lie in all banks, and so it writes
// diagonals of the output, too, an element in each of 32 rows at a time. Blocks of 32 x 2.
#include "../kernels/launch.h"

#define SIDE 32
#define ROWS 2

__global__ void transpose_along_diagonals(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE];

    const int lane = threadIdx.x;
    const int left = blockIdx.x * SIDE;
    const int top = blockIdx.y * SIDE;

    if (left + lane < n) {
#pragma unroll 8
        for (int j = threadIdx.y; j < SIDE; j += ROWS)
            if (top + j < n)
                tile[j][lane] = in[(size_t)(top + j) * n + left + lane];
    }

    __syncthreads();

    if (top + lane < n) {
#pragma unroll 8
        for (int j = threadIdx.y; j < SIDE; j += ROWS) {
            int col = (lane + j) % SIDE;
            if (left + col < n)
                out[(size_t)(left + col) * n + top + lane] = tile[lane][col];
        }
    }
}

LAUNCH_2D(transpose_along_diagonals, SIDE, SIDE, SIDE, ROWS)
STEP(60, OPTIMISE, "plain tile, read by diagonals, 32 x 2", "diagonals of the tile and the output")
