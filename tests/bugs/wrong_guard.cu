// Planted bug: the guard lets one row and one column too many through.
#include "step.h"

__global__ void wrong_guard(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col <= n && row <= n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    wrong_guard<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(103, DEPLOY, "wrong guard", "<= for <")
