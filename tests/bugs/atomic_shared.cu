// Planted bug: a plain read of what other threads count by atomics, with no barrier between.
#include "../kernels/launch.h"

enum { THREADS = 64 };

__global__ void atomic_shared(float *out, const float *in, size_t n)
{
    __shared__ unsigned loaded;
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    if (threadIdx.x == 0)
        loaded = 0;
    __syncthreads();
    float value = col < n ? in[row * n + col] : 0;
    atomicAdd(&loaded, 1u);
    if (col < n && loaded > 0)
        out[col * n + row] = value;
}

LAUNCH_ROWS(atomic_shared, THREADS)
STEP(125, DEPLOY, "atomic, shared", "the barrier after the atomics is missing")
