// Planted bug: an atomic on what another thread has just read, with no barrier between.
#include "../kernels/launch.h"

enum { THREADS = 64 };

__global__ void read_then_atomic(float *out, const float *in, size_t n)
{
    __shared__ unsigned loaded;
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    if (threadIdx.x == 0)
        loaded = 1;
    __syncthreads();
    unsigned seen = loaded;
    atomicAdd(&loaded, 1u);
    if (col < n && seen == 1)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(read_then_atomic, THREADS)
STEP(128, DEPLOY, "read, then atomic", "the barrier between read and atomic is missing")
