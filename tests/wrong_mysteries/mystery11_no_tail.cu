// Mystery 5 by pairs: where the matrix has an odd number of elements, nobody has the last one.
#include "mysteries/mystery5.h"

__global__ void no_tail(unsigned *out, const unsigned *in, size_t count)
{
    size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (pair >= count / 2)
        return;
    uint2 x = ((const uint2 *)in)[pair];
    ((uint2 *)out)[pair] = make_uint2(mix_even(x.x), mix_odd(x.y));
}

static void launch(float *out, const float *in, size_t n)
{
    no_tail<<<(n * n / 2 + 255) / 256, 256>>>((unsigned *)out, (const unsigned *)in, n * n);
}

MYSTERY(11, compute, useful_bytes)
