// A padded tile of 64 x 64 by 128 threads, 32 elements each, with the blocks along diagonals.
#include "step.h"

__global__ void __launch_bounds__(128) transpose_diagonal_large(float *out, const float *in, int n)
{
    __shared__ float tile[64][65];

    int block_y = blockIdx.x;
    int block_x = (blockIdx.x + blockIdx.y) % gridDim.x;

    int x = block_x * 64 + threadIdx.x;
    int y = block_y * 64 + threadIdx.y;
#pragma unroll 8
    for (int k = 0; k < 64; k += 2)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];

    __syncthreads();

    x = block_y * 64 + threadIdx.x;
    y = block_x * 64 + threadIdx.y;
#pragma unroll 8
    for (int k = 0; k < 64; k += 2)
        if (x < n && y + k < n)
            out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + 63) / 64;
    transpose_diagonal_large<<<dim3(tiles, tiles), dim3(64, 2)>>>(out, in, n);
}

STEP(70, OPTIMISE, "padded tile 64 x 64, diagonal", "32 elements a thread, 64 x 2 threads")
