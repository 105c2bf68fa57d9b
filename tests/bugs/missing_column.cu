// Planted bug: the last column is left out.
#include "../kernels/launch.h"

__global__ void missing_column(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col + 1 < n && row < n)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(missing_column, 128)
STEP(117, DEPLOY, "missing column", "the guard ends one early")
