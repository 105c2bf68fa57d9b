// Planted bug: a lock with no memory fence around what it guards.
#include "../kernels/launch.h"

enum { THREADS = 64 };

__global__ void lock_without_fence(float *out, const float *in, size_t n)
{
    __shared__ int lock, last;
    size_t col = (size_t)blockIdx.x * THREADS + threadIdx.x, row = blockIdx.y;
    if (threadIdx.x == 0)
        lock = last = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicCAS(&lock, 0, 1) != 0)
            ;
        last += threadIdx.x;
        atomicExch(&lock, 0);
    }
    __syncthreads();
    if (col < n && last > 0)
        out[col * n + row] = in[row * n + col];
}

LAUNCH_ROWS(lock_without_fence, THREADS)
STEP(129, DEPLOY, "lock without fence", "the fences of the lock are missing")
