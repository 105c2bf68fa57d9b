// Planted bug: reads one row above the matrix.
#include "../kernels/launch.h"

__global__ void read_before(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[col * n + row] = in[row * n + col - n];
}

LAUNCH_ROWS(read_before, 128)
STEP(111, DEPLOY, "read before", "one row too early")
