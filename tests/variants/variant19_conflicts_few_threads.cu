// The plain tile with fewer threads: the same bank conflicts as with 32 x 32, in smaller blocks.
#include "../kernels/launch.h"

enum { SIDE = 32, STEP_ROWS = 8 };

__global__ void transpose_conflicts_few_threads(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

LAUNCH_2D(transpose_conflicts_few_threads, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(19, OPTIMISE, "tile 32 x 32, 32 x 8 threads", "32-way conflicts in small blocks")
