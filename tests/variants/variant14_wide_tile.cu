// A tile of 64 x 64: 16 elements a thread.
#include "../kernels/launch.h"

enum { SIDE = 64, STEP_ROWS = 4 };

__global__ void transpose_wide_tile(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
#pragma unroll
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
#pragma unroll
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

LAUNCH_2D(transpose_wide_tile, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(14, OPTIMISE, "padded tile 64 x 64, 64 x 4 threads", "a larger tile")
