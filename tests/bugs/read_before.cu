// Planted bug: reads one row above the matrix.
#include "step.h"

__global__ void read_before(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[col * n + row] = in[row * n + col - n];
}

static void launch(float *out, const float *in, size_t n)
{
    read_before<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(111, DEPLOY, "read before", "one row too early")
