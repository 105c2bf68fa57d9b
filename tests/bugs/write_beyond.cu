// Planted bug: writes one row below the matrix.
#include "step.h"

__global__ void write_beyond(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[(col + 1) * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    write_beyond<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(110, DEPLOY, "write beyond", "one row too far")
