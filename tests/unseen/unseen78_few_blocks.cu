// No more than 24 blocks, each of which walks down every 24th column of tiles: most of the GPU is idle.
#include "step.h"

#define SIDE 32

__global__ void transpose_few_blocks(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int tx = threadIdx.x, ty = threadIdx.y;

    for (int left = blockIdx.x * SIDE; left < n; left += gridDim.x * SIDE) {
        for (int top = 0; top < n; top += SIDE) {
            for (int i = ty; i < SIDE; i += 8)
                if (top + i < n && left + tx < n)
                    tile[i][tx] = in[(top + i) * n + left + tx];
            __syncthreads();
            for (int i = ty; i < SIDE; i += 8)
                if (left + i < n && top + tx < n)
                    out[(left + i) * n + top + tx] = tile[tx][i];
            __syncthreads(); // before the tile is overwritten
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_few_blocks<<<24, dim3(SIDE, 8)>>>(out, in, n);
}

STEP(78, OPTIMISE, "padded tile, 24 blocks in all", "little parallelism, long loops")
