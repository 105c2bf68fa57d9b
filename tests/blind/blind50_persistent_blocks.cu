// A fixed number of blocks that walk over all tiles of 32 x 32, row by row, as far apart as there are blocks.
#include "step.h"

enum { SIDE = 32, STEP_ROWS = 8, BLOCKS = 1056 };

__global__ void transpose_persistent_blocks(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int across = (n + SIDE - 1) / SIDE;
    for (int t = blockIdx.x; t < across * across; t += gridDim.x) {
        int left = t % across * SIDE, top = t / across * SIDE;
        int x = left + threadIdx.x, y = top + threadIdx.y;
        for (int k = 0; k < SIDE; k += STEP_ROWS)
            if (x < n && y + k < n)
                tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
        __syncthreads();
        x = top + threadIdx.x;
        y = left + threadIdx.y;
        for (int k = 0; k < SIDE; k += STEP_ROWS)
            if (x < n && y + k < n)
                out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_persistent_blocks<<<BLOCKS, dim3(SIDE, STEP_ROWS)>>>(out, in, n);
}

STEP(50, OPTIMISE, "padded tile, 1056 blocks in a loop", "blocks that stay")
