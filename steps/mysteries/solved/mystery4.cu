// Mystery 4, solved: as it was. It is at the roof, and nothing is to be gained.
#include "mysteries/mystery4.h"

enum { THREADS = 256, QUADS = 4 };

__global__ void solved4(float *out, const float *in, size_t count)
{
    size_t first = (size_t)blockIdx.x * THREADS * QUADS + threadIdx.x, whole = count / 4;
    float4 quad[QUADS];
    for (int k = 0; k < QUADS; k++)
        if (first + k * THREADS < whole)
            quad[k] = ((const float4 *)in)[first + k * THREADS];
    for (int k = 0; k < QUADS; k++)
        if (first + k * THREADS < whole)
            ((float4 *)out)[first + k * THREADS] =
                make_float4(-quad[k].x, -quad[k].y, -quad[k].z, -quad[k].w);
    if (blockIdx.x == 0 && threadIdx.x < count % 4)
        out[whole * 4 + threadIdx.x] = -in[whole * 4 + threadIdx.x];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned a_block = THREADS * QUADS * 4;
    solved4<<<(n * n + a_block - 1) / a_block, THREADS>>>(out, in, n * n);
}

SOLUTION(4, "nothing", compute, useful_bytes)
