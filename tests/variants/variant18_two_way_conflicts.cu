// A tile whose rows are two elements longer: two lanes meet in each bank.
#include "../kernels/launch.h"

enum { SIDE = 32, STEP_ROWS = 8 };

__global__ void transpose_two_way_conflicts(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 2];
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

LAUNCH_2D(transpose_two_way_conflicts, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(18, OPTIMISE, "tile 32 x 34, 32 x 8 threads", "two-way bank conflicts")
