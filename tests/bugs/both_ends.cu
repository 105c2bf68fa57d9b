// Planted bug: the last block stores where the first one did.
#include "step.h"

__global__ void both_ends(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[col == n - 1 && row == n - 1 ? 0 : col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    both_ends<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(145, DEPLOY, "both ends", "the last element is stored over the first")
