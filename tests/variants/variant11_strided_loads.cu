// The other way round: stores coalesce, and the loads of a warp are scattered over 32 rows.
#include "step.h"

__global__ void transpose_strided_loads(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = in[(size_t)x * n + y];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 threads(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    transpose_strided_loads<<<grid, threads>>>(out, in, n);
}

STEP(11, PARALLELISE, "strided loads, 32 x 8", "stores coalesce instead of loads")
