// A padded tile of 96 x 96, no power of two, for 96 x 8 threads, twelve elements each.
#include "../kernels/launch.h"

enum { SIDE = 96, STEP_ROWS = 8 };

__global__ void transpose_odd_tile(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE;
#pragma unroll 4
    for (int row = threadIdx.y; row < SIDE; row += STEP_ROWS)
        if (x < n && y + row < n)
            tile[row][threadIdx.x] = in[(size_t)(y + row) * n + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE;
#pragma unroll 4
    for (int row = threadIdx.y; row < SIDE; row += STEP_ROWS)
        if (x < n && y + row < n)
            out[(size_t)(y + row) * n + x] = tile[threadIdx.x][row];
}

LAUNCH_2D(transpose_odd_tile, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(47, OPTIMISE, "padded tile 96 x 96, 96 x 8 threads", "no power of two")
