// Planted bug: the launch swaps its arguments, so that the output is transposed over the input.
#include "step.h"

__global__ void swapped_arguments(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    swapped_arguments<<<dim3((n + 127) / 128, n), 128>>>(const_cast<float *>(in), out, n);
}

STEP(40, OPTIMISE, "arguments swapped", "a planted bug")
