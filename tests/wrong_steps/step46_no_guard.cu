// Planted bug: threads beyond the last column write behind the output.
#include "step.h"

__global__ void no_guard(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    float value = col < n ? in[(size_t)row * n + col] : 0;
    out[(size_t)col * n + row] = value;
}

static void launch(float *out, const float *in, size_t n)
{
    no_guard<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(46, OPTIMISE, "no guard", "a planted bug")
