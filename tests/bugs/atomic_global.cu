// Planted bug: a plain read of what other blocks count by atomics.
#include "../kernels/launch.h"

enum { THREADS = 64 };
static __device__ unsigned arrived;

__global__ void atomic_global(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    atomicAdd(&arrived, 1u);
    if (col < n && arrived > 0)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(atomic_global, THREADS)
STEP(126, DEPLOY, "atomic, global", "the count is read while others count")
