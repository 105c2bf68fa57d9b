// Mystery 2 by Horner's rule, without the highest power.
#include "mysteries/mystery2.h"

__global__ void too_short(unsigned *out, const unsigned *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned x = in[i], sum = 0;
    for (int k = DEGREE - 1; k >= 0; k--)
        sum = sum * x + (2 * k + 1);
    out[i] = sum;
}

static void launch(float *out, const float *in, size_t n)
{
    too_short<<<(n * n + 255) / 256, 256>>>((unsigned *)out, (const unsigned *)in, n * n);
}

MYSTERY(13, compute, useful_bytes)
