// Planted bug: a copy, no transpose.
#include "step.h"

__global__ void untransposed(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)row * n + col] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    untransposed<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(42, OPTIMISE, "not transposed", "a planted bug")
