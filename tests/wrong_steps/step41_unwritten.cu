// Planted bug: the guard is never true, so nothing is written.
#include "../kernels/launch.h"

__global__ void unwritten(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n && row > n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

LAUNCH_ROWS(unwritten, 128)
STEP(41, OPTIMISE, "nothing written", "a planted bug")
