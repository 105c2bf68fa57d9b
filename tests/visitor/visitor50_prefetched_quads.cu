// A block walks down four tiles of 64 x 64 and prefetches the next to the L2 while it moves one. Quads stay quads in
// shared memory: a lane takes one from a row of its own, and writes its words to four rows of the output.
#include "step.h"

enum { SIDE = 64, PITCH = SIDE + 4, TILES = 4, THREADS = 512, WARPS = THREADS / 32, LINE = 32 };

static __device__ void prefetch_tile(const float *in, int left, int top, int n)
{
    const int row = top + threadIdx.x / (SIDE / LINE);
    const int column = left + threadIdx.x % (SIDE / LINE) * LINE;
    if (threadIdx.x < SIDE * SIDE / LINE && row < n && column < n)
        asm volatile("prefetch.global.L2 [%0];" ::"l"(in + (size_t)row * n + column));
}

template <bool QUADS>
static __device__ void fill_tile(float (*tile)[PITCH], const float *in, int left, int top, int n)
{
    constexpr int WORDS = QUADS ? 4 : 1, ACROSS = SIDE / WORDS;
    const int x = threadIdx.x % ACROSS * WORDS;
#pragma unroll
    for (int k = 0; k < SIDE; k += THREADS / ACROSS) {
        const int y = k + threadIdx.x / ACROSS;
        const bool within = top + y < n && left + x < n;
        const float *from = in + (size_t)(top + y) * n + left + x;
        if (QUADS)
            *(float4 *)&tile[y][x] = within ? *(const float4 *)from : make_float4(0, 0, 0, 0);
        else
            tile[y][x] = within ? *from : 0;
    }
}

template <bool QUADS>
__global__ void __launch_bounds__(THREADS)
    transpose_prefetched_quads(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ __align__(16) float tile[SIDE][PITCH];

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int left = blockIdx.x * SIDE, first = blockIdx.y * SIDE * TILES;

    for (int top = first; top < min(n, first + SIDE * TILES); top += SIDE) {
        if (top + SIDE < first + SIDE * TILES)
            prefetch_tile(in, left, top + SIDE, n);
        fill_tile<QUADS>(tile, in, left, top, n);
        __syncthreads();

        const int column = left + 4 * warp;
        static_assert(WARPS * 4 == SIDE, "a warp has four columns");
#pragma unroll
        for (int k = 0; k < SIDE; k += 32) {
            const int row = k + lane;
            const float4 v = *(const float4 *)&tile[row][4 * warp];
            float *to = out + (size_t)column * n + top + row;
            if (top + row < n) {
                if (column < n)
                    to[0] = v.x;
                if (column + 1 < n)
                    to[n] = v.y;
                if (column + 2 < n)
                    to[2 * n] = v.z;
                if (column + 3 < n)
                    to[3 * n] = v.w;
            }
        }
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + SIDE - 1) / SIDE, (n + SIDE * TILES - 1) / (SIDE * TILES));
    if (n % 4 == 0)
        transpose_prefetched_quads<true><<<grid, THREADS>>>(out, in, n);
    else
        transpose_prefetched_quads<false><<<grid, THREADS>>>(out, in, n);
}

STEP(50, OPTIMISE, "4 tiles 64 x 64 of quads, 512 x 1", "the next tile is prefetched to the L2")
