// Planted bug: a copy, not a transpose.
#include "../kernels/launch.h"

__global__ void swapped_index(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[row * n + col] = in[row * n + col];
}

LAUNCH_ROWS(swapped_index, 128)
STEP(102, DEPLOY, "swapped index", "the indices of out are swapped")
