// Mystery 2, solved: by Horner's rule a multiplication and a sum for each power.
#include "mysteries/mystery2.h"

__global__ void solved2(unsigned *out, const unsigned *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;

    unsigned x = in[i], sum = 0;
#pragma unroll
    for (int k = DEGREE; k >= 0; k--)
        sum = sum * x + (2 * k + 1);
    out[i] = sum;
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 256;
    solved2<<<(n * n + threads - 1) / threads, threads>>>((unsigned *)out, (const unsigned *)in,
                                                          n * n);
}

SOLUTION(2, "Horner's rule", compute, useful_bytes)
