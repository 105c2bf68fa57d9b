// A swizzled tile of 128 x 128 in 64 KB of dynamic shared memory, so that few blocks of 32 x 8 share an SM.
#include "step.h"

enum { SIDE = 128, WARP = 32, STEP_ROWS = 8, BYTES = SIDE * SIDE * sizeof(float) };

__global__ void transpose_largest_tile(float *out, const float *in, int n)
{
    extern __shared__ float largest_tile[];
    for (int row = threadIdx.y; row < SIDE; row += STEP_ROWS)
        for (int column = threadIdx.x; column < SIDE; column += WARP) {
            int x = blockIdx.y * SIDE + column, y = blockIdx.x * SIDE + row;
            if (x < n && y < n)
                largest_tile[row * SIDE + (column ^ row % WARP)] = in[(size_t)y * n + x];
        }
    __syncthreads();
    for (int row = threadIdx.y; row < SIDE; row += STEP_ROWS)
        for (int column = threadIdx.x; column < SIDE; column += WARP) {
            int x = blockIdx.x * SIDE + column, y = blockIdx.y * SIDE + row;
            if (x < n && y < n)
                out[(size_t)y * n + x] = largest_tile[column * SIDE + (row ^ column % WARP)];
        }
}

static void launch(float *out, const float *in, size_t n)
{
    cudaFuncSetAttribute(transpose_largest_tile, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         BYTES);
    unsigned tiles = (n + SIDE - 1) / SIDE;
    transpose_largest_tile<<<dim3(tiles, tiles), dim3(WARP, STEP_ROWS), BYTES>>>(out, in, n);
}

STEP(46, OPTIMISE, "swizzled tile 128 x 128, 64 KB", "few warps, blocks down columns")
