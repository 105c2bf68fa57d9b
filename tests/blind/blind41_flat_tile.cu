// A flat tile, 64 elements across and 16 down, with a thread for each: a block of 64 x 16.
#include "../kernels/launch.h"

enum { ACROSS = 64, DOWN = 16 };

__global__ void transpose_flat_tile(float *out, const float *in, int n)
{
    __shared__ float tile[DOWN][ACROSS + 2];
    int x = blockIdx.x * ACROSS + threadIdx.x, y = blockIdx.y * DOWN + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();
    int thread = threadIdx.y * ACROSS + threadIdx.x;
    int row = thread / DOWN, column = thread % DOWN;
    x = blockIdx.y * DOWN + column;
    y = blockIdx.x * ACROSS + row;
    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[column][row];
}

LAUNCH_2D(transpose_flat_tile, ACROSS, DOWN, ACROSS, DOWN)
STEP(41, OPTIMISE, "padded tile 64 x 16, 64 x 16 threads", "stores of half a line")
