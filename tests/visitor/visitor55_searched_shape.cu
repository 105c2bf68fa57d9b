// A template whose best shape a search has found: tiles of 56 x 40 by 280 threads, which count through the elements of
// the tile in order. The grid has three dimensions, for bands of four rows of tiles.
#include "step.h"

template <int TILE_X, int TILE_Y, int THREADS, int PAD, int BAND>
struct shape {
    static constexpr int tile_x = TILE_X, tile_y = TILE_Y, threads = THREADS, band = BAND;
    static constexpr int pitch = TILE_X + PAD, each = TILE_X * TILE_Y / THREADS;
    static_assert(TILE_X * TILE_Y % THREADS == 0, "each thread has as many elements");
};

template <class S>
__global__ void __launch_bounds__(S::threads)
    transpose_searched_shape(float *__restrict__ out, const float *__restrict__ in, unsigned n)
{
    __shared__ float tile[S::tile_y * S::pitch];

    const unsigned left = blockIdx.y * S::tile_x;
    const unsigned top = (blockIdx.z * S::band + blockIdx.x) * S::tile_y;

#pragma unroll
    for (int k = 0; k < S::each; k++) {
        const unsigned i = k * S::threads + threadIdx.x;
        const unsigned x = i % S::tile_x, y = i / S::tile_x;
        if (left + x < n && top + y < n)
            tile[y * S::pitch + x] = in[(top + y) * n + (left + x)];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < S::each; k++) {
        const unsigned i = k * S::threads + threadIdx.x;
        const unsigned y = i % S::tile_y, x = i / S::tile_y;
        if (left + x < n && top + y < n)
            out[(left + x) * n + (top + y)] = tile[y * S::pitch + x];
    }
}

typedef shape<56, 40, 280, 1, 4> best;

static void launch(float *out, const float *in, size_t n)
{
    const unsigned across = (n + best::tile_x - 1) / best::tile_x;
    const unsigned down = (n + best::tile_y - 1) / best::tile_y;
    dim3 grid(best::band, across, (down + best::band - 1) / best::band);
    transpose_searched_shape<best><<<grid, best::threads>>>(out, in, n);
}

STEP(55, OPTIMISE, "padded tile 56 x 40, 280 x 1", "in bands of four rows of tiles")
