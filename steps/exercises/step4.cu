// Exercise 4: a tile in shared memory.
//
// Below is step 3: a warp reads 32 neighbours, but writes 32 elements that lie n floats apart, each to a
// sector of its own.
//
// Task: let each block turn a TILE x TILE tile around in shared memory.
//   - launch ceil(n / TILE) x ceil(n / TILE) blocks of TILE x TILE threads (tile.h: TILE is 32)
//   - read the tile along rows of `in` into __shared__ float tile[TILE][TILE]
//   - wait until the whole block has read
//   - write the tile along rows of `out`, to its place across the diagonal
// Goal: store efficiency 100 %, load efficiency still 100 %, and 90 % of the reference's bandwidth.
//
// make my4 && ./run builds and judges it; make hint4 helps.
#include "step.h"
#include "tile.h"

__global__ void my_shared_tile(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 1024, blocks = (n + threads - 1) / threads;
    const size_t most = 65535; // blocks that a grid has in y at most: beyond, one more grid
    for (size_t row = 0; row < n; row += most) {
        dim3 grid(blocks, n - row < most ? n - row : most);
        my_shared_tile<<<grid, threads>>>(out + row, in + row * n, n);
    }
}

EXERCISE(4, OPTIMISE, "my tile in shared memory", "tiles are turned in shared memory",
         {"gld_efficiency", AT_LEAST, 100}, {"gst_efficiency", AT_LEAST, 100})
