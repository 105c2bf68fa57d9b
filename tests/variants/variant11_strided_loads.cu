// The other way round: stores coalesce, and the loads of a warp are scattered over 32 rows.
#include "../kernels/launch.h"

__global__ void transpose_strided_loads(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = in[(size_t)x * n + y];
}

LAUNCH_2D(transpose_strided_loads, 32, 8, 32, 8)
STEP(11, PARALLELISE, "strided loads, 32 x 8", "stores coalesce instead of loads")
