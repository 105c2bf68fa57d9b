// Planted bug: a plain read of what other blocks count by atomics.
#include "step.h"

enum { THREADS = 64 };
static __device__ unsigned arrived;

__global__ void atomic_global(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    atomicAdd(&arrived, 1u);
    if (col < n && arrived > 0)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    atomic_global<<<dim3((n + THREADS - 1) / THREADS, n), THREADS>>>(out, in, n);
}

STEP(126, DEPLOY, "atomic, global", "the count is read while others count")
