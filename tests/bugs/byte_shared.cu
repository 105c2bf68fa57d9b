// Planted bug: bytes that other threads store are read with no barrier between.
#include "../kernels/launch.h"

enum { THREADS = 64 };

__global__ void byte_shared(float *out, const float *in, size_t n)
{
    __shared__ unsigned char line[THREADS];
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    line[threadIdx.x] = threadIdx.x + 1;
    unsigned char other = line[threadIdx.x ^ 1];
    if (col < n && other > 0)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(byte_shared, THREADS)
STEP(131, DEPLOY, "bytes, shared", "the barrier between bytes is missing")
