// Planted bug: the index wraps at 65536.
#include "../kernels/launch.h"

__global__ void narrow_index(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[(unsigned short)(col * n + row)] = in[(unsigned short)(row * n + col)];
}

LAUNCH_ROWS(narrow_index, 128)
STEP(113, DEPLOY, "narrow index", "a 16-bit index")
