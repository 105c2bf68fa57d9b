// A copy whose bytes are no number.
#include "step.h"

#include <math.h>

__global__ void endless_bytes(float *out, const float *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch(float *out, const float *in, size_t n)
{
    endless_bytes<<<(n * n + 255) / 256, 256>>>(out, in, n * n);
}

static void compute(float *out, const float *in, size_t n)
{
    for (size_t i = 0; i < n * n; i++)
        out[i] = in[i];
}

static double useful_bytes(size_t n)
{
    return HUGE_VAL * n;
}

MYSTERY(19, compute, useful_bytes)
