// Planted bug: the kernel stops itself.
#include "../kernels/launch.h"

__global__ void trap(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col == n / 2)
        __trap();
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

LAUNCH_ROWS(trap, 128)
STEP(54, OPTIMISE, "trap", "a planted bug")
