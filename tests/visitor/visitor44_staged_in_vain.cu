// Course work that has heard of shared memory: the tile of 16 x 16 is staged there, but each thread takes back the
// element that it put there, and writes it where it belongs, so that the stores are scattered as before.
#include "step.h"

#define BLOCK_SIZE 16

__global__ void transpose_staged_in_vain(float *out, const float *in, int n)
{
    __shared__ float tile[BLOCK_SIZE][BLOCK_SIZE];

    int col = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    int row = blockIdx.y * BLOCK_SIZE + threadIdx.y;

    if (row < n && col < n)
        tile[threadIdx.x][threadIdx.y] = in[row * n + col];
    __syncthreads();
    if (row < n && col < n)
        out[col * n + row] = tile[threadIdx.x][threadIdx.y];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 block(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid((n + BLOCK_SIZE - 1) / BLOCK_SIZE, (n + BLOCK_SIZE - 1) / BLOCK_SIZE);
    transpose_staged_in_vain<<<grid, block>>>(out, in, n);
}

STEP(44, OPTIMISE, "tile 16 x 16, scattered stores", "shared memory, but not for the order")
