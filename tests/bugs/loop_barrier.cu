// Planted bug: the barrier is in a loop that threads leave at different times, to go on after it.
#include "step.h"
#include "tile.h"

__global__ void loop_barrier(float *out, const float *in, size_t n)
{
    __shared__ float line[TILE];
    for (size_t i = threadIdx.x; i < n; i += TILE) {
        line[threadIdx.x] = in[blockIdx.x * n + i];
        __syncthreads();
        out[i * n + blockIdx.x] = line[threadIdx.x];
    }
    out[threadIdx.x * n + blockIdx.x] += line[TILE - 1 - threadIdx.x];
}

static void launch(float *out, const float *in, size_t n)
{
    loop_barrier<<<n, TILE>>>(out, in, n);
}

STEP(119, DEPLOY, "loop barrier", "a barrier in a loop of different lengths")
