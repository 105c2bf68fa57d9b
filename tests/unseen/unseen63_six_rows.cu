// Blocks of 48 x 4 with six output rows a thread: the loads are strided, and blocks go down the output first.
#include "step.h"

#define ROWS_A_THREAD 6

__global__ void transpose_six_rows(float *out, const float *in, int n)
{
    int x = blockIdx.y * blockDim.x + threadIdx.x;
    int y = blockIdx.x * blockDim.y * ROWS_A_THREAD + threadIdx.y;
    if (x >= n)
        return;

#pragma unroll
    for (int i = 0; i < ROWS_A_THREAD; i++) {
        if (y < n)
            out[y * n + x] = in[x * n + y];
        y += blockDim.y;
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 block(48, 4);
    int rows = block.y * ROWS_A_THREAD;
    dim3 grid((n + rows - 1) / rows, (n + block.x - 1) / block.x);
    transpose_six_rows<<<grid, block>>>(out, in, n);
}

STEP(63, PARALLELISE, "6 rows a thread, 48 x 4", "strided loads, blocks down the output")
