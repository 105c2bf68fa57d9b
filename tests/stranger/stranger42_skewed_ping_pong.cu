// Eight blocks share a column of tiles, each every eighth of them. A tile's rows are rotated, each by one more than the
// one above, and two tiles take turns, so that there is one barrier a tile.
#include "step.h"

enum { SIDE = 32, ROWS = 8, SHARERS = 8 };

__global__ void __launch_bounds__(SIDE *ROWS)
    transpose_skewed_ping_pong(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tiles[2][SIDE][SIDE];

    const int left = blockIdx.x * SIDE;
    int turn = 0;
    for (int top = blockIdx.y * SIDE; top < n; top += gridDim.y * SIDE, turn ^= 1) {
        float(*tile)[SIDE] = tiles[turn];
        int x = left + threadIdx.x;
#pragma unroll
        for (int k = 0; k < SIDE; k += ROWS) {
            int row = k + threadIdx.y;
            if (x < n && top + row < n)
                tile[row][(threadIdx.x + row) % SIDE] = in[(size_t)(top + row) * n + x];
        }
        __syncthreads();

        x = top + threadIdx.x;
#pragma unroll
        for (int k = 0; k < SIDE; k += ROWS) {
            int row = k + threadIdx.y;
            if (x < n && left + row < n)
                out[(size_t)(left + row) * n + x] = tile[threadIdx.x][(row + threadIdx.x) % SIDE];
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + SIDE - 1) / SIDE;
    dim3 grid(tiles, tiles < SHARERS ? tiles : (unsigned)SHARERS);
    transpose_skewed_ping_pong<<<grid, dim3(SIDE, ROWS)>>>(out, in, n);
}

STEP(42, OPTIMISE, "two skewed tiles in turns, 32 x 8", "eight blocks walk down each column")
