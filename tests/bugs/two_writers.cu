// Planted bug: every thread of a row writes the same element.
#include "../kernels/launch.h"

__global__ void two_writers(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[row] = in[row * n + col];
}

LAUNCH_ROWS(two_writers, 128)
STEP(114, DEPLOY, "two writers", "the column is missing in the index of out")
