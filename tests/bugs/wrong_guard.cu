// Planted bug: the guard lets one row and one column too many through.
#include "../kernels/launch.h"

__global__ void wrong_guard(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col <= n && row <= n)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(wrong_guard, 128)
STEP(103, DEPLOY, "wrong guard", "<= for <")
