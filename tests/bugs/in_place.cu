// Planted bug: reads what other blocks are writing.
#include "../kernels/launch.h"

__global__ void in_place(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[row * n + col] = in[row * n + col];
    if (col < n && row < n)
        out[col * n + row] = out[row * n + col];
}

LAUNCH_ROWS(in_place, 128)
STEP(115, DEPLOY, "in place", "out is read back as if it were ready")
