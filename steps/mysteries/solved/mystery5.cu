// Mystery 5, solved: a thread has two neighbours, so that a whole warp mixes in one way, and then in the other.
#include "mysteries/mystery5.h"

__global__ void solved5(unsigned *out, const unsigned *in, size_t count)
{
    size_t pair = (size_t)blockIdx.x * blockDim.x + threadIdx.x, i = 2 * pair;
    if (i + 1 < count) {
        uint2 x = ((const uint2 *)in)[pair];
        ((uint2 *)out)[pair] = make_uint2(mix_even(x.x), mix_odd(x.y));
    } else if (i < count) {
        out[i] = mix_even(in[i]);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 256;
    size_t pairs = (n * n + 1) / 2;
    solved5<<<(pairs + threads - 1) / threads, threads>>>((unsigned *)out, (const unsigned *)in,
                                                          n * n);
}

SOLUTION(5, "two neighbours a thread", compute, useful_bytes)
