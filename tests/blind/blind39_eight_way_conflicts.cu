// A plain tile of 16 x 16 with a thread for each element: eight lanes meet in a bank.
#include "../kernels/launch.h"

enum { SIDE = 16 };

__global__ void transpose_eight_way_conflicts(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
}

LAUNCH_TILES(transpose_eight_way_conflicts, SIDE)
STEP(39, OPTIMISE, "plain tile 16 x 16, 16 x 16 threads", "eight-way bank conflicts")
