// One element a thread in blocks of 64 x 2: scattered loads through the read-only cache, coalesced stores.
#include "step.h"

__global__ void transpose_read_only_loads(float *__restrict__ out, const float *__restrict__ in,
                                          int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = __ldg(&in[(size_t)x * n + y]);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 threads(64, 2), grid((n + 63) / 64, (n + 1) / 2);
    transpose_read_only_loads<<<grid, threads>>>(out, in, n);
}

STEP(32, PARALLELISE, "strided __ldg, 64 x 2", "loads are read-only and scattered")
