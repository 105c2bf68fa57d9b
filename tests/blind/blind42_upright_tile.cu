// An upright tile, 16 elements across and 64 down, for 16 x 16 threads; blocks go down the columns.
#include "../kernels/launch.h"

enum { ACROSS = 16, DOWN = 64, STEP_ROWS = 16 };

__global__ void transpose_upright_tile(float *out, const float *in, int n)
{
    __shared__ float tile[DOWN][ACROSS + 1];
    int x = blockIdx.y * ACROSS + threadIdx.x, y = blockIdx.x * DOWN + threadIdx.y;
#pragma unroll
    for (int k = 0; k < DOWN; k += STEP_ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    int thread = threadIdx.y * ACROSS + threadIdx.x, column = thread % DOWN, row = thread / DOWN;
    x = blockIdx.x * DOWN + column;
    y = blockIdx.y * ACROSS + row;
#pragma unroll
    for (int k = 0; k < ACROSS; k += ACROSS * STEP_ROWS / DOWN)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[column][row + k];
}

LAUNCH_2D(transpose_upright_tile, DOWN, ACROSS, ACROSS, STEP_ROWS)
STEP(42, OPTIMISE, "padded tile 16 x 64, down columns", "loads of half a line")
