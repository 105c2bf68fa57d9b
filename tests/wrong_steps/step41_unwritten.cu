// Planted bug: the guard is never true, so nothing is written.
#include "step.h"

__global__ void unwritten(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n && row > n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    unwritten<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(41, OPTIMISE, "nothing written", "a planted bug")
