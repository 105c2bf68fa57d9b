// Planted bug: reads one row below the matrix.
#include "step.h"

__global__ void read_beyond(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[col * n + row] = in[(row + 1) * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    read_beyond<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(109, DEPLOY, "read beyond", "one row too far")
