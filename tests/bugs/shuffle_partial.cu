// Planted bug: the block's last warp has 8 threads, and adds up 32.
#include "../kernels/launch.h"

__global__ void shuffle_partial(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float value = in[row * n + col % n];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_xor_sync(0xffffffff, value, lanes);
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(shuffle_partial, 40)
STEP(148, DEPLOY, "shuffle partial", "the last warp has 8 lanes")
