// Each half of a warp turns 16 x 16 elements by four rounds of shuffles, in a loop of 396 blocks; loads by __ldcs.
#include "step.h"

__global__ void transpose_half_warp_shuffles(float *out, const float *in, int n)
{
    int lane = threadIdx.x % 16, half = threadIdx.x / 16 % 2;
    int tiles = (n + 15) / 16;
    int warps = gridDim.x * blockDim.x / 32;

    for (int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32; 2 * w < tiles * tiles; w += warps) {
        int top = (2 * w + half) / tiles * 16;
        int left = (2 * w + half) % tiles * 16;

        float v[16];
#pragma unroll
        for (int k = 0; k < 16; k++)
            v[k] = top + k < n && left + lane < n ? __ldcs(&in[(top + k) * n + left + lane]) : 0;

#pragma unroll
        for (int d = 1; d < 16; d *= 2) {
            bool upper = lane & d;
#pragma unroll
            for (int k = 0; k < 16; k++) {
                if (k & d)
                    continue;
                float got = __shfl_xor_sync(0xffffffffu, upper ? v[k] : v[k + d], d);
                v[k] = upper ? got : v[k];
                v[k + d] = upper ? v[k + d] : got;
            }
        }

#pragma unroll
        for (int k = 0; k < 16; k++)
            if (left + k < n && top + lane < n)
                out[(left + k) * n + top + lane] = v[k];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_half_warp_shuffles<<<396, 192>>>(out, in, n);
}

STEP(76, OPTIMISE, "16 x 16 by shuffles, persistent", "half a warp a tile, __ldcs, 192 x 1")
