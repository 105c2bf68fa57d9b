// A copy that says that it moves nothing.
#include "step.h"

#include <string.h>

__global__ void no_bytes(float *out, const float *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch(float *out, const float *in, size_t n)
{
    no_bytes<<<(n * n + 255) / 256, 256>>>(out, in, n * n);
}

static void compute(float *out, const float *in, size_t n)
{
    memcpy(out, in, n * n * sizeof *out);
}

static double useful_bytes(size_t n)
{
    return 0.0 * n;
}

MYSTERY(18, compute, useful_bytes)
