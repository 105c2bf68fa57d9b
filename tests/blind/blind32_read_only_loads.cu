// One element a thread in blocks of 64 x 2: scattered loads through the read-only cache, coalesced stores.
#include "../kernels/launch.h"

__global__ void transpose_read_only_loads(float *__restrict__ out, const float *__restrict__ in,
                                          int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = __ldg(&in[(size_t)x * n + y]);
}

LAUNCH_2D(transpose_read_only_loads, 64, 2, 64, 2)
STEP(32, PARALLELISE, "strided __ldg, 64 x 2", "loads are read-only and scattered")
