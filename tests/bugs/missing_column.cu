// Planted bug: the last column is left out.
#include "step.h"

__global__ void missing_column(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col + 1 < n && row < n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    missing_column<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(117, DEPLOY, "missing column", "the guard ends one early")
