// One element a thread in blocks of 8 x 32: a row of the block is a sector, and loads go past the L1.
#include "../kernels/launch.h"

__global__ void transpose_sector_rows(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)x * n + y] = __ldcg(&in[(size_t)y * n + x]);
}

LAUNCH_2D(transpose_sector_rows, 8, 32, 8, 32)
STEP(33, PARALLELISE, "element per thread, 8 x 32, __ldcg", "narrow blocks, loads past the L1")
