// Planted bug: blocks of 2048 threads do not exist: nothing runs.
#include "step.h"

__global__ void too_many_threads(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    too_many_threads<<<dim3((n + 2047) / 2048, n), 2048>>>(out, in, n);
}

STEP(120, DEPLOY, "too many threads", "blocks of 2048 threads")
