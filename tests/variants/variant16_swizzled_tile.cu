// No padding: an exclusive or spreads the tile's columns over the banks. 32 x 16 threads.
#include "../kernels/launch.h"

enum { SIDE = 32, STEP_ROWS = 16 };

__global__ void transpose_swizzled_tile(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    for (int k = threadIdx.y; k < SIDE; k += STEP_ROWS, y += STEP_ROWS)
        if (x < n && y < n)
            tile[k][threadIdx.x ^ k] = in[(size_t)y * n + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int k = threadIdx.y; k < SIDE; k += STEP_ROWS, y += STEP_ROWS)
        if (x < n && y < n)
            out[(size_t)y * n + x] = tile[threadIdx.x][k ^ threadIdx.x];
}

LAUNCH_2D(transpose_swizzled_tile, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(16, OPTIMISE, "swizzled tile, 32 x 16 threads", "an exclusive or in place of padding")
