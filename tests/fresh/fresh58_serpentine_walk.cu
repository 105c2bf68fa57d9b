// A block winds through 4 x 4 tiles of 64 x 32, and loads the next tile into registers, 8 bytes an access, while it
// stores one. Two buffers, one barrier a tile, and even columns in the left half of a tile, odd ones in the right.
#include "step.h"

enum { WIDTH = 64, HEIGHT = 32, HALF = WIDTH / 2, ROWS = 8, EACH = HEIGHT / ROWS, TILES = 4 };

// Of the tile that comes as number t: there and back, row by row.
static __device__ int2 corner(int t)
{
    int down = t / TILES, across = down % 2 ? TILES - 1 - t % TILES : t % TILES;
    return make_int2((blockIdx.x * TILES + across) * WIDTH, (blockIdx.y * TILES + down) * HEIGHT);
}

template <bool EVEN>
static __device__ void load_pairs(float2 pairs[EACH], const float *in, int n, int2 at)
{
    int x = at.x + 2 * threadIdx.x, y = at.y + threadIdx.y;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const float *from = in + (size_t)(y + i * ROWS) * n + x;
        pairs[i] = make_float2(0, 0);
        if (y + i * ROWS >= n || x >= n)
            continue;
        if (EVEN)
            pairs[i] = *(const float2 *)from;
        else
            pairs[i] = make_float2(from[0], x + 1 < n ? from[1] : 0);
    }
}

static __device__ void keep_pairs(float (*tile)[WIDTH + 1], const float2 pairs[EACH])
{
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        tile[threadIdx.y + i * ROWS][threadIdx.x] = pairs[i].x;
        tile[threadIdx.y + i * ROWS][HALF + threadIdx.x] = pairs[i].y;
    }
}

static __device__ void store_columns(float *out, const float (*tile)[WIDTH + 1], int n, int2 at)
{
    int x = at.y + threadIdx.x;
#pragma unroll
    for (int k = threadIdx.y; k < WIDTH; k += ROWS) {
        int y = at.x + k % HALF * 2 + k / HALF;
        if (x < n && y < n)
            out[(size_t)y * n + x] = tile[threadIdx.x][k];
    }
}

template <bool EVEN>
__global__ void __launch_bounds__(32 * ROWS)
    transpose_serpentine_walk(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float buffers[2][HEIGHT][WIDTH + 1];

    float2 pairs[EACH];
    load_pairs<EVEN>(pairs, in, n, corner(0));
    for (int t = 0; t < TILES * TILES; t++) {
        keep_pairs(buffers[t % 2], pairs);
        __syncthreads();
        if (t + 1 < TILES * TILES)
            load_pairs<EVEN>(pairs, in, n, corner(t + 1));
        store_columns(out, buffers[t % 2], n, corner(t));
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + TILES * WIDTH - 1) / (TILES * WIDTH),
              (n + TILES * HEIGHT - 1) / (TILES * HEIGHT));
    if (n % 2 == 0)
        transpose_serpentine_walk<true><<<grid, dim3(32, ROWS)>>>(out, in, n);
    else
        transpose_serpentine_walk<false><<<grid, dim3(32, ROWS)>>>(out, in, n);
}

STEP(58, OPTIMISE, "16 tiles 64 x 32 a block, 32 x 8", "next tile in registers, two buffers")
