// Planted bug: an atomic on what another thread has just read, with no barrier between.
#include "step.h"

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

static void launch(float *out, const float *in, size_t n)
{
    read_then_atomic<<<dim3((n + THREADS - 1) / THREADS, n), THREADS>>>(out, in, n);
}

STEP(128, DEPLOY, "read, then atomic", "the barrier between read and atomic is missing")
