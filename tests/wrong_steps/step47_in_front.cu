// Planted bug: one thread writes in front of the output.
#include "step.h"

__global__ void in_front(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
    if (col == 0 && row == 0)
        out[-3] = 0;
}

static void launch(float *out, const float *in, size_t n)
{
    in_front<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(47, OPTIMISE, "write in front", "a planted bug")
