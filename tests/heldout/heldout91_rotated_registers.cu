// A warp turns 32 x 32 elements in its registers by rotations: each lane rotates its column by its number, the rows are
// permuted by one shuffle each, and each lane rotates again. Two warps a block, no shared memory.
#include "step.h"

// v[k] = v[(k + by) % 32], by the bits of `by`, so that all indices are known to the compiler.
__device__ static void rotate(float (&v)[32], unsigned by)
{
#pragma unroll
    for (int bit = 1; bit < 32; bit *= 2) {
        float w[32];
#pragma unroll
        for (int k = 0; k < 32; k++)
            w[k] = by & bit ? v[(k + bit) % 32] : v[k];
#pragma unroll
        for (int k = 0; k < 32; k++)
            v[k] = w[k];
    }
}

__global__ void __launch_bounds__(64)
    transpose_rotated_registers(float *out, const float *in, unsigned n)
{
    unsigned lane = threadIdx.x;
    unsigned left = (blockIdx.x * 2 + threadIdx.y) * 32, top = blockIdx.y * 32;
    if (left >= n)
        return;

    float v[32], w[32];
    const float *from = in + (size_t)top * n + left + lane;
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        v[k] = top + k < n && left + lane < n ? from[(size_t)k * n] : 0;

    rotate(v, lane);
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        w[(32 - k) % 32] = __shfl_sync(0xffffffff, v[k], (lane - k) % 32);
    rotate(w, (32 - lane) % 32);

    float *to = out + (size_t)left * n + top + lane;
#pragma unroll
    for (unsigned k = 0; k < 32; k++)
        if (left + k < n && top + lane < n)
            to[(size_t)k * n] = w[k];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + 63) / 64, (n + 31) / 32);
    transpose_rotated_registers<<<grid, dim3(32, 2)>>>(out, in, n);
}

STEP(91, OPTIMISE, "32 x 32 by rotations, 32 x 2", "rotate, one shuffle a row, rotate")
