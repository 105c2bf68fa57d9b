// Planted bug: the mask of a shuffle names half of the lanes that execute it.
#include "../kernels/launch.h"

__global__ void shuffle_unnamed(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float value = col < n ? in[row * n + col] : 0;
    value = __shfl_xor_sync(0xffff, value, 1);
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(shuffle_unnamed, 128)
STEP(136, DEPLOY, "shuffle unnamed", "lanes 16 to 31 are not in the mask")
