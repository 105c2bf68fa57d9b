// Two tiles side by side for each block, each in a buffer of its own, so that one barrier a tile is enough.
#include "step.h"

__global__ void transpose_two_tiles(float *out, const float *in, int n)
{
    __shared__ float tiles[2][32][33];

    int top = blockIdx.y * 32;
    for (int t = 0; t < 2; t++) {
        int left = (blockIdx.x * 2 + t) * 32;
        float(*tile)[33] = tiles[t];

        for (int j = threadIdx.y; j < 32; j += blockDim.y) {
            int row = top + j, col = left + threadIdx.x;
            if (row < n && col < n)
                tile[j][threadIdx.x] = in[row * n + col];
        }
        __syncthreads();
        for (int j = threadIdx.y; j < 32; j += blockDim.y) {
            int row = left + j, col = top + threadIdx.x;
            if (row < n && col < n)
                out[row * n + col] = tile[threadIdx.x][j];
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + 63) / 64, (n + 31) / 32);
    transpose_two_tiles<<<grid, dim3(32, 16)>>>(out, in, n);
}

STEP(71, OPTIMISE, "two padded tiles a block, 32 x 16", "two buffers, one barrier a tile")
