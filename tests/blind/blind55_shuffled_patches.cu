// Eight lanes turn 8 x 8 elements around by three rounds of shuffles: a warp stores four whole sectors at a time.
#include "step.h"

enum { PATCH = 8, WARP = 32, WARPS = 8 };

__global__ void transpose_shuffled_patches(float *out, const float *in, int n)
{
    int lane = threadIdx.x % PATCH, x = blockIdx.x * WARP + threadIdx.x;
    int top = (blockIdx.y * WARPS + threadIdx.y) * PATCH;
    float v[PATCH];
#pragma unroll
    for (int k = 0; k < PATCH; k++)
        v[k] = x < n && top + k < n ? in[(size_t)(top + k) * n + x] : 0;
#pragma unroll
    for (int half = PATCH / 2; half > 0; half /= 2) {
        bool upper = lane & half; // its first elements change places with a lower lane's second
#pragma unroll
        for (int k = 0; k < PATCH; k++)
            if (!(k & half)) {
                float first = v[k], second = v[k + half];
                float got = __shfl_xor_sync(~0u, upper ? first : second, half);
                v[k] = upper ? got : first;
                v[k + half] = upper ? second : got;
            }
    }
#pragma unroll
    for (int k = 0; k < PATCH; k++)
        if (top + lane < n && x - lane + k < n)
            out[(size_t)(x - lane + k) * n + top + lane] = v[k];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + WARP - 1) / WARP, (n + WARPS * PATCH - 1) / (WARPS * PATCH));
    transpose_shuffled_patches<<<grid, dim3(WARP, WARPS)>>>(out, in, n);
}

STEP(55, OPTIMISE, "8 x 8 by shuffles, 32 x 8", "three rounds in place of a tile")
