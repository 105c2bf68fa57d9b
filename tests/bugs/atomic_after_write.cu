// Planted bug: a block sets the counter to which others may have added before.
#include "step.h"

enum { THREADS = 64 };
__device__ int atomic_after_write_count;

__global__ void atomic_after_write(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    if (blockIdx.x == 0 && row == 0 && threadIdx.x == 0)
        atomic_after_write_count = -1;
    __syncthreads();
    atomicAdd(&atomic_after_write_count, 1);
    if (col < n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    atomic_after_write<<<dim3((n + THREADS - 1) / THREADS, n), THREADS>>>(out, in, n);
}

STEP(144, DEPLOY, "atomic after a write", "a block sets the counter for all")
