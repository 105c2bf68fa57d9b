// Planted bug: two blocks store different values to the same bytes.
#include "../kernels/launch.h"

enum { THREADS = 64 };
__device__ unsigned char byte_global_last[THREADS];

__global__ void byte_global(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    byte_global_last[threadIdx.x] = row;
    if (col < n)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(byte_global, THREADS)
STEP(132, DEPLOY, "bytes, global", "the row is missing in the index of the bytes")
