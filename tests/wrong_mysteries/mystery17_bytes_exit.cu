// A copy that ends the process when it is asked for its bytes.
#include "step.h"

#include <stdlib.h>

__global__ void bytes_exit(float *out, const float *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch(float *out, const float *in, size_t n)
{
    bytes_exit<<<(n * n + 255) / 256, 256>>>(out, in, n * n);
}

static void compute(float *out, const float *in, size_t n)
{
    for (size_t i = 0; i < n * n; i++)
        out[i] = in[i];
}

static double useful_bytes(size_t n)
{
    exit(n > 0 ? 5 : 6);
}

MYSTERY(17, compute, useful_bytes)
