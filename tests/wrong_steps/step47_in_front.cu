// Planted bug: one thread writes in front of the output.
#include "../kernels/launch.h"

__global__ void in_front(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
    if (col == 0 && row == 0)
        out[-3] = 0;
}

LAUNCH_ROWS(in_front, 128)
STEP(47, OPTIMISE, "write in front", "a planted bug")
