// Planted mistake: the loop over a row of tiles ends only where tiles fill it.
#include "step.h"
#include "tile.h"

__global__ void endless_at_edges(float *out, const float *in, unsigned n)
{
    __shared__ float tile[TILE][TILE];

    for (unsigned column = 0; column != n; column += TILE) {
        unsigned x = column + threadIdx.x;
        unsigned y = blockIdx.x * TILE + threadIdx.y;
        if (x < n && y < n)
            tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
        __syncthreads();

        x = blockIdx.x * TILE + threadIdx.x; // the tile's place across the diagonal
        y = column + threadIdx.y;
        if (x < n && y < n)
            out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    endless_at_edges<<<tiles, dim3(TILE, TILE)>>>(out, in, n);
}

EXERCISE(4, OPTIMISE, "my tile in shared memory", "tiles are turned in shared memory",
         {"gld_efficiency", AT_LEAST, 100}, {"gst_efficiency", AT_LEAST, 100})
