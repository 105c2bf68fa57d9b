// Planted bug: 8 lanes add up what 32 would have, in functions that are called, not inlined.
#include "../kernels/launch.h"

__device__ __noinline__ float plus(float a, float b)
{
    return a + b;
}

__device__ __noinline__ float sum_of(unsigned mask, float value)
{
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value = plus(value, __shfl_down_sync(mask, value, lanes));
    return value;
}

__global__ void shuffle_called(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float value = in[row * n + col % n];
    unsigned mask = __ballot_sync(0xffffffff, threadIdx.x % 32 < 8);
    if (threadIdx.x % 32 < 8)
        value = sum_of(mask, value);
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(shuffle_called, 128)
STEP(150, DEPLOY, "shuffle called", "lanes 16 and up are not in the mask of a called function")
