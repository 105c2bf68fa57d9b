// Planted bug: a lane's neighbour returned at the guard before the two exchange what they have.
#include "../kernels/launch.h"

__global__ void shuffle_exited(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col >= n)
        return;
    float value = in[row * n + col];
    out[col * n + row] = __shfl_down_sync(0xffffffff, value, 1);
}

LAUNCH_ROWS(shuffle_exited, 128)
STEP(147, DEPLOY, "shuffle exited", "the last column's neighbour has returned")
