// A copy whose reference on the CPU does not come to an end.
#include "step.h"

#include <string.h>

__global__ void slow_reference(float *out, const float *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch(float *out, const float *in, size_t n)
{
    slow_reference<<<(n * n + 255) / 256, 256>>>(out, in, n * n);
}

static void compute(float *out, const float *in, size_t n)
{
    for (volatile size_t i = 0; n > 0; i = i + 1)
        out[i % n] = in[i % n];
}

static double useful_bytes(size_t n)
{
    return 2.0 * n * n * sizeof(float);
}

MYSTERY(15, compute, useful_bytes)
