// One thread per row of the input: its loads are scattered and its stores coalesce.
#include "step.h"

__global__ void transpose_per_row(float *out, const float *in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    for (int col = 0; col < n; col++)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_per_row<<<(n + 127) / 128, 128>>>(out, in, n);
}

STEP(13, PARALLELISE, "row per thread, blocks of 128", "loads are scattered")
