// The patch of a matrix product, without its shared memory: a thread of 16 x 16 holds 4 x 4 elements, which lie 16
// apart both ways, so that each load is of half lines. All loads come first, then all stores.
#include "step.h"

constexpr int THREADS = 16, EACH = 4, SPAN = THREADS * EACH;

__global__ void __launch_bounds__(THREADS *THREADS, 4)
    transpose_cyclic_patch(float *out, const float *in, unsigned n)
{
    const unsigned col = blockIdx.x * SPAN + threadIdx.x;
    const unsigned row = blockIdx.y * SPAN + threadIdx.y;
    float fragment[EACH][EACH];

#pragma unroll
    for (int i = 0; i < EACH; ++i)
#pragma unroll
        for (int j = 0; j < EACH; ++j)
            if (row + i * THREADS < n && col + j * THREADS < n)
                fragment[i][j] = in[(size_t)(row + i * THREADS) * n + col + j * THREADS];

#pragma unroll
    for (int j = 0; j < EACH; ++j)
#pragma unroll
        for (int i = 0; i < EACH; ++i)
            if (row + i * THREADS < n && col + j * THREADS < n)
                out[(size_t)(col + j * THREADS) * n + row + i * THREADS] = fragment[i][j];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + SPAN - 1) / SPAN, (n + SPAN - 1) / SPAN);
    transpose_cyclic_patch<<<grid, dim3(THREADS, THREADS)>>>(out, in, n);
}

STEP(99, OPTIMISE, "4 x 4 a thread, 16 apart, 16 x 16", "a cyclic fragment in registers")
