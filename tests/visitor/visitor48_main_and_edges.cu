// Two launches: whole tiles of 64 x 64 by 16 x 16 threads, without a check and in quads where n allows, and then
// what is left at the right and at the bottom, an element a thread.
#include "step.h"

enum { SIDE = 64, LANES = 16, EDGE_THREADS = 256 };

template <bool QUADS>
__global__ void __launch_bounds__(LANES *LANES)
    transpose_main(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const float *from = in + (size_t)blockIdx.y * SIDE * n + blockIdx.x * SIDE;
    float *to = out + (size_t)blockIdx.x * SIDE * n + blockIdx.y * SIDE;

#pragma unroll
    for (int k = 0; k < SIDE; k += LANES) {
        const int row = k + ty;
        if (QUADS) {
            float4 v = reinterpret_cast<const float4 *>(from + (size_t)row * n)[tx];
            tile[row][4 * tx] = v.x;
            tile[row][4 * tx + 1] = v.y;
            tile[row][4 * tx + 2] = v.z;
            tile[row][4 * tx + 3] = v.w;
        } else {
            for (int x = 0; x < SIDE; x += LANES)
                tile[row][x + tx] = from[(size_t)row * n + x + tx];
        }
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < SIDE; k += LANES) {
        const int row = k + ty;
        if (QUADS) {
            float4 v = make_float4(tile[4 * tx][row], tile[4 * tx + 1][row], tile[4 * tx + 2][row],
                                   tile[4 * tx + 3][row]);
            reinterpret_cast<float4 *>(to + (size_t)row * n)[tx] = v;
        } else {
            for (int x = 0; x < SIDE; x += LANES)
                to[(size_t)row * n + x + tx] = tile[x + tx][row];
        }
    }
}

// The columns from `whole` on, and then the rows from there on.
__global__ void transpose_edges(float *out, const float *in, int n, int whole)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, right = whole * (n - whole);
    if (i < right) {
        int row = i % whole, column = whole + i / whole;
        out[column * n + row] = in[row * n + column];
    } else if (i - right < n * (n - whole)) {
        int row = whole + (i - right) / n, column = (i - right) % n;
        out[column * n + row] = in[row * n + column];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    size_t tiles = n / SIDE, whole = tiles * SIDE, rest = n * n - whole * whole;
    dim3 grid(tiles, tiles), threads(LANES, LANES);
    if (tiles > 0 && n % 4 == 0)
        transpose_main<true><<<grid, threads>>>(out, in, n);
    else if (tiles > 0)
        transpose_main<false><<<grid, threads>>>(out, in, n);
    if (rest > 0)
        transpose_edges<<<(rest + EDGE_THREADS - 1) / EDGE_THREADS, EDGE_THREADS>>>(out, in, n,
                                                                                    whole);
}

STEP(48, OPTIMISE, "whole tiles 64 x 64, then edges", "two launches, no checks in the first")
