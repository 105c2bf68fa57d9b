// Planted bug: the mask of a match names half of the lanes that execute it.
#include "../kernels/launch.h"

__global__ void match_unnamed(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float value = col < n ? in[row * n + col] : 0;
    value += (float)__match_any_sync(0xffff, threadIdx.x);
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(match_unnamed, 128)
STEP(139, DEPLOY, "match unnamed", "lanes 16 to 31 are not in the mask")
