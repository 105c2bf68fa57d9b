// Planted bug: 8 lanes add up what 32 would have: the first step reads lanes that the mask does not name.
#include "../kernels/launch.h"

__global__ void shuffle_beyond(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float value = in[row * n + col % n];
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x % 32 < 8);
    if (threadIdx.x % 32 < 8)
        for (int lanes = 16; lanes > 0; lanes /= 2)
            value += __shfl_down_sync(mask, value, lanes);
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(shuffle_beyond, 128)
STEP(146, DEPLOY, "shuffle beyond", "lanes 16 and up are not in the mask")
