// Planted bug: writes one row below the matrix.
#include "../kernels/launch.h"

__global__ void write_beyond(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[(col + 1) * n + row] = in[row * n + col];
}

LAUNCH_ROWS(write_beyond, 128)
STEP(110, DEPLOY, "write beyond", "one row too far")
