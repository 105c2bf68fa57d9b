// Planted bug: a copy, no transpose.
#include "../kernels/launch.h"

__global__ void untransposed(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)row * n + col] = in[(size_t)row * n + col];
}

LAUNCH_ROWS(untransposed, 128)
STEP(42, OPTIMISE, "not transposed", "a planted bug")
