// As a shader swizzles its threads: the bits of a thread's number are its column and its row by turns, so that a warp
// has 8 x 4 elements and a block of 256 threads 16 x 16. An element a thread, no shared memory.
#include "step.h"

typedef unsigned int uint;

// Every other bit of v, from the lowest on.
__device__ uint compact_bits(uint v)
{
    v &= 0x55555555;
    v = (v ^ (v >> 1)) & 0x33333333;
    v = (v ^ (v >> 2)) & 0x0f0f0f0f;
    v = (v ^ (v >> 4)) & 0x00ff00ff;
    return v;
}

__global__ void transpose_morton_threads(float *out, const float *in, uint n)
{
    uint x = blockIdx.x * 16 + compact_bits(threadIdx.x);
    uint y = blockIdx.y * 16 + compact_bits(threadIdx.x >> 1);
    if (x < n && y < n)
        out[(size_t)x * n + y] = in[(size_t)y * n + x];
}

static void launch(float *out, const float *in, size_t n)
{
    uint groups = (n + 15) / 16;
    transpose_morton_threads<<<dim3(groups, groups), 256>>>(out, in, n);
}

STEP(22, OPTIMISE, "an element a thread, Z-order, 256 x 1", "warps of 8 x 4, blocks of 16 x 16")
