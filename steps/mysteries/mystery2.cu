// Mystery 2: the value of a polynomial at each element's bits, modulo 2^32, an element a thread.
#include "mysteries/mystery2.h"

__device__ unsigned power(unsigned x, int exponent)
{
    unsigned product = 1;
    for (int i = 0; i < exponent; i++)
        product *= x;
    return product;
}

__global__ void mystery2(unsigned *out, const unsigned *in, size_t count, int degree)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;

    unsigned x = in[i], sum = 0;
    for (int k = 0; k <= degree; k++)
        sum += (2 * k + 1) * power(x, k);
    out[i] = sum;
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 256;
    mystery2<<<(n * n + threads - 1) / threads, threads>>>((unsigned *)out, (const unsigned *)in,
                                                           n * n, DEGREE);
}

MYSTERY(2, compute, useful_bytes)
