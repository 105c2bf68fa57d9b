// As a compiler for arrays, such as XLA, emits it: numbers of blocks and threads are taken apart by division, and a
// padded tile of 32 x 32 by 128 threads is either whole, without checks, or a part at the edge.
#include "step.h"

#define TILE 32
#define THREAD_ROWS 4

__device__ static void whole_tile(float *__restrict__ out, const float *__restrict__ in,
                                  float (*tile)[TILE + 1], size_t n)
{
    unsigned lane = threadIdx.x % TILE, first = threadIdx.x / TILE;
    in += first * n + lane;
    out += first * n + lane;
    float v[TILE / THREAD_ROWS];
#pragma unroll
    for (int i = 0; i < TILE / THREAD_ROWS; ++i)
        v[i] = __ldg(in + i * THREAD_ROWS * n);
#pragma unroll
    for (int i = 0; i < TILE / THREAD_ROWS; ++i)
        tile[first + i * THREAD_ROWS][lane] = v[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE / THREAD_ROWS; ++i)
        out[i * THREAD_ROWS * n] = tile[lane][first + i * THREAD_ROWS];
}

__device__ static void part_of_tile(float *__restrict__ out, const float *__restrict__ in,
                                    float (*tile)[TILE + 1], size_t n, unsigned height,
                                    unsigned width)
{
    unsigned lane = threadIdx.x % TILE, first = threadIdx.x / TILE;
    if (lane < width)
        for (unsigned y = first; y < height; y += THREAD_ROWS)
            tile[y][lane] = __ldg(in + y * n + lane);
    __syncthreads();
    if (lane < height)
        for (unsigned y = first; y < width; y += THREAD_ROWS)
            out[y * n + lane] = tile[lane][y];
}

__global__ void __launch_bounds__(TILE *THREAD_ROWS)
    transpose_whole_or_part(float *__restrict__ out, const float *__restrict__ in, unsigned n)
{
    __shared__ float tile[TILE][TILE + 1];

    unsigned across = (n + TILE - 1) / TILE;
    unsigned top = blockIdx.x / across * TILE, left = blockIdx.x % across * TILE;
    unsigned height = min(TILE, n - top), width = min(TILE, n - left);
    in += (size_t)top * n + left;
    out += (size_t)left * n + top;
    if (height == TILE && width == TILE)
        whole_tile(out, in, tile, n);
    else
        part_of_tile(out, in, tile, n, height, width);
}

static void launch(float *out, const float *in, size_t n)
{
    size_t across = (n + TILE - 1) / TILE;
    transpose_whole_or_part<<<across * across, TILE * THREAD_ROWS>>>(out, in, n);
}

STEP(30, OPTIMISE, "padded tile 32 x 32, whole or part", "no checks in whole tiles, 128 x 1")
