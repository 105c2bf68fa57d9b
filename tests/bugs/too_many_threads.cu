// Planted bug: blocks of 2048 threads do not exist: nothing runs.
#include "../kernels/launch.h"

__global__ void too_many_threads(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(too_many_threads, 2048)
STEP(120, DEPLOY, "too many threads", "blocks of 2048 threads")
