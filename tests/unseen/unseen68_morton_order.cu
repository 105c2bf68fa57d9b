// The padded tile of 32 x 32, with the blocks in Z-order: the bits of the block's number alternate between x and y.
#include "step.h"

__device__ static unsigned every_second_bit(unsigned v)
{
    v &= 0x55555555;
    v = (v | v >> 1) & 0x33333333;
    v = (v | v >> 2) & 0x0f0f0f0f;
    v = (v | v >> 4) & 0x00ff00ff;
    return (v | v >> 8) & 0xffff;
}

__global__ void transpose_morton_order(float *out, const float *in, unsigned n)
{
    __shared__ float tile[32][33];

    unsigned left = every_second_bit(blockIdx.x) * 32;
    unsigned top = every_second_bit(blockIdx.x >> 1) * 32;
    if (left >= n || top >= n)
        return;
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    for (unsigned k = warp; k < 32; k += 8)
        if (left + lane < n && top + k < n)
            tile[k][lane] = in[(top + k) * n + left + lane];
    __syncthreads();
    for (unsigned k = warp; k < 32; k += 8)
        if (top + lane < n && left + k < n)
            out[(left + k) * n + top + lane] = tile[lane][k];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned side = 1;
    while (side * 32 < n)
        side *= 2;
    transpose_morton_order<<<side * side, 256>>>(out, in, n);
}

STEP(68, OPTIMISE, "padded tile, blocks in Z-order", "Morton order, 256 x 1 threads")
