// Planted bug: a plain store to what other threads count by atomics, with no barrier between.
#include "../kernels/launch.h"

enum { THREADS = 64 };

__global__ void atomic_reset(float *out, const float *in, size_t n)
{
    __shared__ unsigned loaded;
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    atomicExch(&loaded, 0u);
    float value = col < n ? in[row * n + col] : 0;
    if (threadIdx.x == THREADS - 1)
        loaded = 1;
    if (col < n)
        out[col * n + row] = value;
}

LAUNCH_ROWS(atomic_reset, THREADS)
STEP(127, DEPLOY, "atomic, reset", "the barrier before the store is missing")
