// Planted bug: the kernel stops itself.
#include "step.h"

__global__ void trap(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col == n / 2)
        __trap();
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    trap<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(54, OPTIMISE, "trap", "a planted bug")
