// Planted bug: the lanes of a warp contend for one lock, and wait for it outside the critical section:
// in lockstep the lane that has it never gets to give it back.
#include "step.h"

__device__ int lock;

__global__ void lock_in_warp(float *out, const float *in, size_t n)
{
    size_t col = threadIdx.x;
    if (col >= n)
        return;
    while (atomicCAS(&lock, 0, 1) != 0)
        ;
    __threadfence();
    for (size_t row = 0; row < n; row++)
        out[col * n + row] = in[row * n + col];
    __threadfence();
    atomicExch(&lock, 0);
}

static void launch(float *out, const float *in, size_t n)
{
    lock_in_warp<<<1, 1024>>>(out, in, n);
}

STEP(143, DEPLOY, "lock in a warp", "lanes wait for a lock that one of them holds")
