// Planted bug: threads beyond the last column write behind the output.
#include "../kernels/launch.h"

__global__ void no_guard(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    float value = col < n ? in[(size_t)row * n + col] : 0;
    out[(size_t)col * n + row] = value;
}

LAUNCH_ROWS(no_guard, 128)
STEP(46, OPTIMISE, "no guard", "a planted bug")
