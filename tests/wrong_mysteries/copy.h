// A copy, for what is wrong about the functions beside it: a file has one of its own in place of one of these.
#include "step.h"

static __global__ void copy(float *out, const float *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch(float *out, const float *in, size_t n)
{
    copy<<<(n * n + 255) / 256, 256>>>(out, in, n * n);
}

__attribute__((unused)) static void copy_on_cpu(float *out, const float *in, size_t n)
{
    for (size_t i = 0; i < n * n; i++)
        out[i] = in[i];
}

__attribute__((unused)) static double copied_bytes(size_t n)
{
    return 2.0 * n * n * sizeof(float);
}
