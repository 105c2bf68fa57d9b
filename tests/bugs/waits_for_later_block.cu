// Planted bug: each block waits for the next one.
#include "step.h"

static __device__ volatile unsigned ready[1024];

__global__ void waits_for_later_block(float *out, const float *in, size_t n)
{
    size_t row = blockIdx.x;
    for (size_t col = threadIdx.x; col < n; col += blockDim.x)
        out[col * n + row] = in[row * n + col];
    while (row + 1 < n && ready[row + 1] == 0)
        ;
    __threadfence();
    if (threadIdx.x == 0)
        ready[row] = 1;
}

static void launch(float *out, const float *in, size_t n)
{
    waits_for_later_block<<<n, 32>>>(out, in, n);
}

STEP(130, DEPLOY, "waits for later block", "a block waits for one that has not started")
