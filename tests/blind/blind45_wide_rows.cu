// A tile of 128 x 32, which a warp fills by rows, 16 bytes a lane; reading its columns, four lanes meet in a bank.
#include "../kernels/launch.h"

enum { ACROSS = 128, DOWN = 32, STEP_ROWS = 8 };

__global__ void transpose_wide_rows(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tile[DOWN][ACROSS + 4];
    int column = threadIdx.x * 4, x = blockIdx.x * ACROSS + column;
    for (int row = threadIdx.y; row < DOWN; row += STEP_ROWS) {
        int y = blockIdx.y * DOWN + row;
        const float *from = in + (size_t)y * n + x;
        if (n % 4 == 0 && x < n && y < n)
            *(float4 *)&tile[row][column] = *(const float4 *)from;
        else if (y < n)
            for (int i = 0; i < 4 && x + i < n; i++)
                tile[row][column + i] = from[i];
    }
    __syncthreads();
    x = blockIdx.y * DOWN + threadIdx.x;
    for (int row = threadIdx.y; row < ACROSS; row += STEP_ROWS) {
        int y = blockIdx.x * ACROSS + row;
        if (x < n && y < n)
            out[(size_t)y * n + x] = tile[threadIdx.x][row];
    }
}

LAUNCH_2D(transpose_wide_rows, ACROSS, DOWN, DOWN, STEP_ROWS)
STEP(45, OPTIMISE, "tile 128 x 32, 16-byte loads", "wide rows, four-way bank conflicts")
