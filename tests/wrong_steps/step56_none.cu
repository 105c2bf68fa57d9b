// Planted bug: none. It runs after the others, and must come out right.
#include "../kernels/launch.h"

enum { SIDE = 16 };

__global__ void no_bug(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];

    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();

    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
}

LAUNCH_TILES(no_bug, SIDE)
STEP(56, OPTIMISE, "no bug", "a planted bug")
