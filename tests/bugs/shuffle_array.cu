// Planted bug: lanes beyond the mask give their values to an array in local memory.
#include "../kernels/launch.h"

__global__ void shuffle_array(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float value = in[row * n + col % n], parts[8] = {0};
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x % 32 < 8);
    if (threadIdx.x % 32 < 8)
        for (int i = 0; i < 5; i++)
            parts[(row + i) % 8] = __shfl_down_sync(mask, value, 16 >> i);
    for (int i = 0; i < 5; i++)
        value += parts[(row + i) % 8];
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(shuffle_array, 128)
STEP(151, DEPLOY, "shuffle array", "lanes 16 and up are not in the mask")
