// What Numba makes of `i, j = cuda.grid(2)` and two loops by `cuda.gridsize(2)`: arrays with byte strides, 64-bit
// indices that may count from the end, and x, which varies between lanes, as the row. Up to 64 x 64 blocks of 16 x 16.
#include "step.h"

struct Array {
    char *data;
    long long shape[2], strides[2];
};

__device__ static float *item(const Array &array, long long i, long long j)
{
    if (i < 0)
        i += array.shape[0];
    if (j < 0)
        j += array.shape[1];
    return (float *)(array.data + i * array.strides[0] + j * array.strides[1]);
}

__global__ void transpose_grid_of_two(Array a, Array b)
{
    long long start_i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    long long start_j = (long long)blockIdx.y * blockDim.y + threadIdx.y;
    long long step_i = (long long)gridDim.x * blockDim.x;
    long long step_j = (long long)gridDim.y * blockDim.y;
    for (long long i = start_i; i < a.shape[0]; i += step_i)
        for (long long j = start_j; j < a.shape[1]; j += step_j)
            *item(b, j, i) = *item(a, i, j);
}

static Array square(const float *data, size_t n)
{
    long long side = n, bytes = sizeof(float);
    return Array{(char *)data, {side, side}, {side * bytes, bytes}};
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned blocks = n < 64 * 16 ? (n + 15) / 16 : 64;
    transpose_grid_of_two<<<dim3(blocks, blocks), dim3(16, 16)>>>(square(in, n), square(out, n));
}

STEP(26, PARALLELISE, "2-D grid-stride loop, 16 x 16", "byte strides, x is the row")
