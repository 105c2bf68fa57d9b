// A thread loads four elements that lie below each other, a word at a time, and keeps them as one float4 of a tile of
// quads: shared memory and stores are 16 bytes wide, and nothing is turned in registers. 64 x 64 by 64 x 4 threads.
#include "step.h"

constexpr int SIDE = 64;
constexpr int QUADS = SIDE / 4; // down the tile

template <bool ALIGNED>
__global__ void __launch_bounds__(256)
    transpose_stacked_quads(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float4 tile[QUADS][SIDE + 1];

    const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
    const int col = left + threadIdx.x;
    if (col < n) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int quad = threadIdx.y + 4 * i, row = top + 4 * quad;
            const float *from = in + (size_t)row * n + col;
            float4 v = make_float4(0, 0, 0, 0);
            if (row < n)
                v.x = __ldg(from);
            if (row + 1 < n)
                v.y = __ldg(from + n);
            if (row + 2 < n)
                v.z = __ldg(from + 2 * (size_t)n);
            if (row + 3 < n)
                v.w = __ldg(from + 3 * (size_t)n);
            tile[quad][threadIdx.x] = v;
        }
    }
    __syncthreads();

    const int t = threadIdx.y * SIDE + threadIdx.x, quad = t % QUADS;
    const int x = top + 4 * quad;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int c = t / QUADS + 16 * i;
        if (left + c >= n || x >= n)
            continue;
        float *to = out + (size_t)(left + c) * n + x;
        float4 v = tile[quad][c];
        if (ALIGNED) {
            __stcs(reinterpret_cast<float4 *>(to), v);
        } else {
            to[0] = v.x;
            if (x + 1 < n)
                to[1] = v.y;
            if (x + 2 < n)
                to[2] = v.z;
            if (x + 3 < n)
                to[3] = v.w;
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + SIDE - 1) / SIDE, (n + SIDE - 1) / SIDE), block(SIDE, 4);
    if (n % 4 == 0)
        transpose_stacked_quads<true><<<grid, block>>>(out, in, n);
    else
        transpose_stacked_quads<false><<<grid, block>>>(out, in, n);
}

STEP(93, OPTIMISE, "tile of quads 64 x 64, __stcs", "4-byte loads, 16 bytes from there on")
