// A tile of 8 elements across and 128 down, turned when it is filled: loads of a sector, stores of 512 bytes.
#include "../kernels/launch.h"

enum { ACROSS = 8, DOWN = 128, STEP_ROWS = 32 };

__global__ void transpose_sector_tile(float *out, const float *in, int n)
{
    __shared__ float tile[ACROSS][DOWN + 4];
    int x = blockIdx.x * ACROSS + threadIdx.x, y = blockIdx.y * DOWN + threadIdx.y;
    for (int k = 0; k < DOWN; k += STEP_ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.x][threadIdx.y + k] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    int thread = threadIdx.y * ACROSS + threadIdx.x, column = thread % DOWN;
    x = blockIdx.y * DOWN + column;
    for (int row = thread / DOWN; row < ACROSS; row += 2) {
        y = blockIdx.x * ACROSS + row;
        if (x < n && y < n)
            out[(size_t)y * n + x] = tile[row][column];
    }
}

LAUNCH_2D(transpose_sector_tile, ACROSS, DOWN, ACROSS, STEP_ROWS)
STEP(43, OPTIMISE, "padded tile 8 x 128, 8 x 32 threads", "loads of a sector")
