// Two padded tiles of 32 x 32 pairs: a thread reads 2 x 2 elements, 8 bytes a row, turns them, and keeps
// the even column in one tile and the odd one in the other. 64 x 64 elements by 32 x 8 threads, and 8 bytes a store.
#include "step.h"

constexpr int PAIRS = 32;
constexpr int SIDE = 2 * PAIRS;
constexpr int BLOCK_ROWS = 8;

template <bool EVEN>
__device__ float2 read_pair(const float *in, int n, int row, int col)
{
    if (row >= n || col >= n)
        return make_float2(0, 0);
    const float *p = in + (size_t)row * n + col;
    if (EVEN)
        return *reinterpret_cast<const float2 *>(p);
    return make_float2(p[0], col + 1 < n ? p[1] : 0);
}

template <bool EVEN>
__device__ void write_pair(float *out, int n, int row, int col, float2 pair)
{
    if (row >= n || col >= n)
        return;
    float *p = out + (size_t)row * n + col;
    if (EVEN) {
        *reinterpret_cast<float2 *>(p) = pair;
    } else {
        p[0] = pair.x;
        if (col + 1 < n)
            p[1] = pair.y;
    }
}

template <bool EVEN>
__global__ void __launch_bounds__(PAIRS *BLOCK_ROWS)
    transpose_tile_of_pairs(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float2 even[PAIRS][PAIRS + 1], odd[PAIRS][PAIRS + 1];

    int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;

#pragma unroll
    for (int i = 0; i < PAIRS; i += BLOCK_ROWS) {
        int j = threadIdx.y + i;
        float2 upper = read_pair<EVEN>(in, n, top + 2 * j, left + 2 * threadIdx.x);
        float2 lower = read_pair<EVEN>(in, n, top + 2 * j + 1, left + 2 * threadIdx.x);
        even[j][threadIdx.x] = make_float2(upper.x, lower.x);
        odd[j][threadIdx.x] = make_float2(upper.y, lower.y);
    }
    __syncthreads();

#pragma unroll
    for (int i = 0; i < PAIRS; i += BLOCK_ROWS) {
        int j = threadIdx.y + i;
        write_pair<EVEN>(out, n, left + 2 * j, top + 2 * threadIdx.x, even[threadIdx.x][j]);
        write_pair<EVEN>(out, n, left + 2 * j + 1, top + 2 * threadIdx.x, odd[threadIdx.x][j]);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + SIDE - 1) / SIDE;
    dim3 grid(tiles, tiles), block(PAIRS, BLOCK_ROWS);
    if (n % 2 == 0)
        transpose_tile_of_pairs<true><<<grid, block>>>(out, in, n);
    else
        transpose_tile_of_pairs<false><<<grid, block>>>(out, in, n);
}

STEP(20, OPTIMISE, "padded tiles of pairs, 32 x 8", "2 x 2 turned, 8 bytes throughout")
