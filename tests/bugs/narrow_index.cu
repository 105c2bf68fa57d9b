// Planted bug: the index wraps at 65536.
#include "step.h"

__global__ void narrow_index(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n)
        out[(unsigned short)(col * n + row)] = in[(unsigned short)(row * n + col)];
}

static void launch(float *out, const float *in, size_t n)
{
    narrow_index<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(113, DEPLOY, "narrow index", "a 16-bit index")
