// A tile of 64 x 64 as quads of 16 bytes, everywhere: a thread reads 4 x 4 elements, turns them in registers, and keeps
// them as rows of the turned tile, where an exclusive or spreads the quads. Rows then go out, 256 bytes each.
#include "step.h"

constexpr int kTile = 64;
constexpr int kQuads = kTile / 4;
constexpr int kThreads = kQuads * kQuads;

template <bool kAligned>
__device__ __forceinline__ float4 load4(const float *p, int valid)
{
    if (valid <= 0)
        return make_float4(0.f, 0.f, 0.f, 0.f);
    if (kAligned)
        return __ldg(reinterpret_cast<const float4 *>(p));
    float4 v;
    v.x = __ldg(p);
    v.y = valid > 1 ? __ldg(p + 1) : 0.f;
    v.z = valid > 2 ? __ldg(p + 2) : 0.f;
    v.w = valid > 3 ? __ldg(p + 3) : 0.f;
    return v;
}

template <bool kAligned>
__device__ __forceinline__ void store4(float *p, float4 v, int valid)
{
    if (valid <= 0)
        return;
    if (kAligned) {
        *reinterpret_cast<float4 *>(p) = v;
        return;
    }
    p[0] = v.x;
    if (valid > 1)
        p[1] = v.y;
    if (valid > 2)
        p[2] = v.z;
    if (valid > 3)
        p[3] = v.w;
}

template <bool kAligned>
__global__ void __launch_bounds__(kThreads)
    transpose_quads_swizzled(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float4 turned[kTile][kQuads];

    const int qx = threadIdx.x % kQuads, qy = threadIdx.x / kQuads;
    const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;

    float4 v[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = top + 4 * qy + i, col = left + 4 * qx;
        v[i] = load4<kAligned>(in + static_cast<size_t>(row) * n + col, row < n ? n - col : 0);
    }

    const int place = qy ^ qx;
    turned[4 * qx + 0][place] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    turned[4 * qx + 1][place] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    turned[4 * qx + 2][place] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    turned[4 * qx + 3][place] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
    __syncthreads();

#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int r = qy + i * kQuads, row = left + r, col = top + 4 * qx;
        store4<kAligned>(out + static_cast<size_t>(row) * n + col, turned[r][qx ^ (r / 4)],
                         row < n ? n - col : 0);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    const unsigned tiles = (n + kTile - 1) / kTile;
    const dim3 grid(tiles, tiles);
    if (n % 4 == 0)
        transpose_quads_swizzled<true><<<grid, kThreads>>>(out, in, n);
    else
        transpose_quads_swizzled<false><<<grid, kThreads>>>(out, in, n);
}

STEP(13, OPTIMISE, "swizzled quads 64 x 64, 256 x 1", "4 x 4 in registers, 16 bytes throughout")
