// Tiles of 64 x 64 by 512 threads, with the blocks along a Hilbert curve, so that each is next to the one before. Each
// row of the tile is rotated by its number, in place of padding.
#include "step.h"

enum { SIDE = 64, ROWS = 8 };

// Where a Hilbert curve through a square of `side` x `side`, a power of two, is after `distance` steps.
__device__ static uint2 on_curve(unsigned distance, unsigned side)
{
    unsigned x = 0, y = 0;
    for (unsigned s = 1; s < side; s *= 2, distance /= 4) {
        unsigned right = distance / 2 & 1, up = (distance ^ right) & 1;
        if (!up) {
            if (right) {
                x = s - 1 - x;
                y = s - 1 - y;
            }
            unsigned old = x;
            x = y;
            y = old;
        }
        x += s * right;
        y += s * up;
    }
    return make_uint2(x, y);
}

__global__ void __launch_bounds__(SIDE *ROWS)
    transpose_hilbert_order(float *__restrict__ out, const float *__restrict__ in, unsigned n,
                            unsigned curve_side)
{
    __shared__ float tile[SIDE][SIDE];

    const uint2 at = on_curve(blockIdx.x, curve_side);
    const unsigned left = at.x * SIDE, top = at.y * SIDE;
    if (left >= n || top >= n)
        return;
    const unsigned x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;

#pragma unroll
    for (unsigned r = y; r < SIDE; r += ROWS)
        if (left + x < n && top + r < n)
            tile[r][(x + r) % SIDE] = in[(size_t)(top + r) * n + left + x];
    __syncthreads();
#pragma unroll
    for (unsigned c = y; c < SIDE; c += ROWS)
        if (top + x < n && left + c < n)
            out[(size_t)(left + c) * n + top + x] = tile[x][(c + x) % SIDE];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned side = 1;
    while ((size_t)side * SIDE < n)
        side *= 2;
    transpose_hilbert_order<<<side * side, SIDE * ROWS>>>(out, in, n, side);
}

STEP(29, OPTIMISE, "rotated tile 64 x 64, Hilbert order", "blocks along a curve, 512 x 1 threads")
