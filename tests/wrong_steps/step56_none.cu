// Planted bug: none. It runs after the others, and must come out right.
#include "step.h"

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

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + SIDE - 1) / SIDE, (n + SIDE - 1) / SIDE), threads(SIDE, SIDE);
    no_bug<<<grid, threads>>>(out, in, n);
}

STEP(56, OPTIMISE, "no bug", "a planted bug")
