// A copy whose reference on the CPU reads from where no memory is.
#include "step.h"

#include <string.h>

__global__ void reference_crashes(float *out, const float *in, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

static void launch(float *out, const float *in, size_t n)
{
    reference_crashes<<<(n * n + 255) / 256, 256>>>(out, in, n * n);
}

static void compute(float *out, const float *in, size_t n)
{
    memcpy(out, (const float *)8, n * n * sizeof *in);
}

static double useful_bytes(size_t n)
{
    return 2.0 * n * n * sizeof(float);
}

MYSTERY(16, compute, useful_bytes)
