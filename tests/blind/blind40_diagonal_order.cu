// Padded tiles of 16 x 16, four elements a thread, and blocks that follow each other go down diagonals.
#include "../kernels/launch.h"

enum { SIDE = 16, STEP_ROWS = 4 };

__global__ void transpose_diagonal_order(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int row = blockIdx.x, column = (blockIdx.x + blockIdx.y) % gridDim.x;
    int x = column * SIDE + threadIdx.x, y = row * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    x = row * SIDE + threadIdx.x;
    y = column * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

LAUNCH_2D(transpose_diagonal_order, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(40, OPTIMISE, "padded tile 16 x 16, diagonal", "blocks down diagonals, 16 x 4 threads")
