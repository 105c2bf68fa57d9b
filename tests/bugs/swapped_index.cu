// Planted bug: a copy, not a transpose.
#include "step.h"

__global__ void swapped_index(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[row * n + col] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    swapped_index<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(102, DEPLOY, "swapped index", "the indices of out are swapped")
