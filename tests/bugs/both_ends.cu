// Planted bug: the last block stores where the first one did.
#include "../kernels/launch.h"

__global__ void both_ends(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[col == n - 1 && row == n - 1 ? 0 : col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(both_ends, 128)
STEP(145, DEPLOY, "both ends", "the last element is stored over the first")
