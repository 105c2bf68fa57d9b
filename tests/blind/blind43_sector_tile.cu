// A tile of 8 elements across and 128 down, turned when it is filled: loads of a sector, stores of 512 bytes.
#include "step.h"

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

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + ACROSS - 1) / ACROSS, (n + DOWN - 1) / DOWN);
    transpose_sector_tile<<<grid, dim3(ACROSS, STEP_ROWS)>>>(out, in, n);
}

STEP(43, OPTIMISE, "padded tile 8 x 128, 8 x 32 threads", "loads of a sector")
