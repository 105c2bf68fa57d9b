// Planted bug: the last row is looked for 256 Gi elements further on.
#include "../kernels/launch.h"

__global__ void illegal_address(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    size_t far = row == n - 1 ? (size_t)1 << 38 : 0;
    if (col < n)
        out[(size_t)col * n + row + far] = in[(size_t)row * n + col];
}

LAUNCH_ROWS(illegal_address, 128)
STEP(49, OPTIMISE, "illegal address", "a planted bug")
