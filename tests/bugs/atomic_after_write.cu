// Planted bug: a block sets the counter to which others may have added before.
#include "../kernels/launch.h"

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

LAUNCH_ROWS(atomic_after_write, THREADS)
STEP(144, DEPLOY, "atomic after a write", "a block sets the counter for all")
