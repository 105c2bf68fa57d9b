// Two kernels: the first copies the matrix, and the second turns the copy in place, a tile and its mirror image across
// the diagonal to a block. Blocks above the diagonal have nothing to do.
#include "step.h"

enum { SIDE = 32, ROWS = 8, COPIERS = 256 };

__global__ void copy_matrix(float *__restrict__ out, const float *__restrict__ in, size_t count)
{
    size_t quad = (size_t)blockIdx.x * COPIERS + threadIdx.x;
    if (quad < count / 4)
        ((float4 *)out)[quad] = ((const float4 *)in)[quad];
    else if (quad == count / 4)
        for (size_t i = quad * 4; i < count; i++)
            out[i] = in[i];
}

static __device__ void read_tile(float (*tile)[SIDE + 1], const float *a, int left, int top, int n)
{
    const int x = left + threadIdx.x;
    for (int row = threadIdx.y; row < SIDE; row += ROWS)
        if (x < n && top + row < n)
            tile[row][threadIdx.x] = a[(size_t)(top + row) * n + x];
}

static __device__ void write_turned(float *a, float (*tile)[SIDE + 1], int left, int top, int n)
{
    const int x = left + threadIdx.x;
    for (int row = threadIdx.y; row < SIDE; row += ROWS)
        if (x < n && top + row < n)
            a[(size_t)(top + row) * n + x] = tile[threadIdx.x][row];
}

__global__ void transpose_in_place(float *a, int n)
{
    __shared__ float lower[SIDE][SIDE + 1], upper[SIDE][SIDE + 1];

    if (blockIdx.x > blockIdx.y)
        return;
    const bool diagonal = blockIdx.x == blockIdx.y;
    const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;

    read_tile(lower, a, left, top, n);
    if (!diagonal)
        read_tile(upper, a, top, left, n);
    __syncthreads();
    write_turned(a, lower, top, left, n);
    if (!diagonal)
        write_turned(a, upper, left, top, n);
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + SIDE - 1) / SIDE;
    copy_matrix<<<n * n / 4 / COPIERS + 1, COPIERS>>>(out, in, n * n);
    transpose_in_place<<<dim3(tiles, tiles), dim3(SIDE, ROWS)>>>(out, n);
}

STEP(37, OPTIMISE, "copy, then pairs of tiles in place", "two passes over the matrix")
