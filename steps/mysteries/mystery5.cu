// Mystery 5: mixes each element's bits, in one of two ways in turn, an element a thread.
#include "mysteries/mystery5.h"

__global__ void mystery5(unsigned *out, const unsigned *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;

    if (i % 2)
        out[i] = mix_odd(in[i]);
    else
        out[i] = mix_even(in[i]);
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 256;
    mystery5<<<(n * n + threads - 1) / threads, threads>>>((unsigned *)out, (const unsigned *)in,
                                                           n * n);
}

MYSTERY(5, compute, useful_bytes)
