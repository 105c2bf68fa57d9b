// A warp turns 32 x 32 elements around by five rounds of shuffles between its registers: no shared memory.
#include "step.h"

enum { SIDE = 32, WARPS = 4 };

__global__ void transpose_shuffled_tile(float *out, const float *in, int n)
{
    int lane = threadIdx.x, left = (blockIdx.x * WARPS + threadIdx.y) * SIDE;
    int top = blockIdx.y * SIDE;
    float v[SIDE];
#pragma unroll
    for (int k = 0; k < SIDE; k++)
        v[k] = left + lane < n && top + k < n ? in[(size_t)(top + k) * n + left + lane] : 0;
#pragma unroll
    for (int half = SIDE / 2; half > 0; half /= 2) {
        bool upper = lane & half; // its first elements change places with a lower lane's second
#pragma unroll
        for (int k = 0; k < SIDE; k++)
            if (!(k & half)) {
                float first = v[k], second = v[k + half];
                float got = __shfl_xor_sync(~0u, upper ? first : second, half);
                v[k] = upper ? got : first;
                v[k + half] = upper ? second : got;
            }
    }
#pragma unroll
    for (int k = 0; k < SIDE; k++)
        if (top + lane < n && left + k < n)
            out[(size_t)(left + k) * n + top + lane] = v[k];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + WARPS * SIDE - 1) / (WARPS * SIDE), (n + SIDE - 1) / SIDE);
    transpose_shuffled_tile<<<grid, dim3(SIDE, WARPS)>>>(out, in, n);
}

STEP(54, OPTIMISE, "32 x 32 by shuffles, 32 x 4", "five rounds in place of a tile")
