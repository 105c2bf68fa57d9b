// Exercise 6: 16 bytes an access.
//
// Below is step 5. Its accesses waste nothing, but are small: a lane moves 4 bytes, a warp 4 sectors.
//
// Task, in two parts, for every n that 4 divides; my_narrow stays for the others, whose rows do not all
// start at a multiple of 16 bytes:
//   - write a second kernel that moves quads, 4 neighbours in a row, with each access:
//         float4 quad = *(const float4 *)&in[i];
//     Let blocks of 16 x 16 threads turn tiles of 64 x 64. Each thread loads 4 x 4 elements, all four
//     quads before it uses one, turns them in its registers with make_float4(a, b, c, d), and stores the
//     four columns, as quads, to __shared__ float4 tile[64][16], whose rows are those of `out`
//   - these stores go down the tile, where every row starts in the same bank: look at the replay. No
//     padding column is enough. Swizzle: keep quad q of a row at its place q ^ s, where s follows from
//     the row, when the tile is written and when it is read
// Goal: 16 sectors a request, which are the 512 bytes of a warp; shared replay overhead still 0 %, load
// and store efficiency still 100 %, and 90 % of the reference's bandwidth.
//
// make my6 && ./run builds and judges it, after either part; make hint6 helps.
#include "step.h"
#include "tile.h"

__global__ void my_narrow(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    dim3 grid(tiles, tiles), threads(TILE, ROWS);
    my_narrow<<<grid, threads>>>(out, in, n);
}

EXERCISE(6, OPTIMISE, "my 16 bytes an access",
         "four float4 loads a thread, a larger tile, swizzled",
         {"gld_transactions_per_request", AT_LEAST, 16},
         {"gst_transactions_per_request", AT_LEAST, 16}, {"gld_efficiency", AT_LEAST, 100},
         {"gst_efficiency", AT_LEAST, 100}, {"shared_replay_overhead", AT_MOST, 0})
