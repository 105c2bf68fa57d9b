// Each of a block's four warps turns a strip of 8 columns and 32 rows by shuffles alone: a lane reads pairs from four
// rows that follow each other, and writes two quads of one column.
#include "step.h"

enum { WARPS = 4, STRIP = 8, HEIGHT = 32 };

template <bool ALIGNED>
static __device__ float2 load_pair(const float *in, int x, int y, int n)
{
    if (ALIGNED)
        return x < n && y < n ? *(const float2 *)&in[y * n + x] : make_float2(0, 0);
    return make_float2(x < n && y < n ? in[y * n + x] : 0,
                       x + 1 < n && y < n ? in[y * n + x + 1] : 0);
}

template <bool ALIGNED>
static __device__ void store_quad(float *out, int x, int y, int n, const float *quad)
{
    if (ALIGNED) {
        if (x < n && y < n)
            *(float4 *)&out[y * n + x] = make_float4(quad[0], quad[1], quad[2], quad[3]);
    } else {
        for (int k = 0; k < 4; k++)
            if (x + k < n && y < n)
                out[y * n + x + k] = quad[k];
    }
}

template <bool ALIGNED>
__global__ void __launch_bounds__(WARPS * 32)
    transpose_shuffled_strips(float *__restrict__ out, const float *__restrict__ in, int n)
{
    const int lane = threadIdx.x, low = lane % 4, high = lane / 4;
    const int left = (blockIdx.x * WARPS + threadIdx.y) * STRIP, top = blockIdx.y * HEIGHT;

    float2 pair[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        pair[k] = load_pair<ALIGNED>(in, left + low * 2, top + high * 4 + k, n);

#pragma unroll
    for (int half = 0; half < 2; half++) {
        int four = half * 4 + low; // which four rows; of column `high`
        float quad[4];
#pragma unroll
        for (int k = 0; k < 4; k++) {
            float even = __shfl_sync(0xffffffff, pair[k].x, four * 4 + high / 2);
            float odd = __shfl_sync(0xffffffff, pair[k].y, four * 4 + high / 2);
            quad[k] = high % 2 ? odd : even;
        }
        store_quad<ALIGNED>(out, top + four * 4, left + high, n, quad);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + WARPS * STRIP - 1) / (WARPS * STRIP), (n + HEIGHT - 1) / HEIGHT);
    if (n % 4 == 0)
        transpose_shuffled_strips<true><<<grid, dim3(32, WARPS)>>>(out, in, n);
    else
        transpose_shuffled_strips<false><<<grid, dim3(32, WARPS)>>>(out, in, n);
}

STEP(34, OPTIMISE, "shuffled strips 8 x 32, 32 x 4", "pairs in, quads out, no shared memory")
