// One element a thread in blocks of 8 x 32: a row of the block is a sector, and loads go past the L1.
#include "step.h"

__global__ void transpose_sector_rows(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)x * n + y] = __ldcg(&in[(size_t)y * n + x]);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 threads(8, 32), grid((n + 7) / 8, (n + 31) / 32);
    transpose_sector_rows<<<grid, threads>>>(out, in, n);
}

STEP(33, PARALLELISE, "element per thread, 8 x 32, __ldcg", "narrow blocks, loads past the L1")
