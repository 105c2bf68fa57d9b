// A tile comes in by pairs, is turned from one buffer in shared memory into another, and goes out by pairs.
#include "step.h"

#define SIDE 32
#define PITCH (SIDE + 2) // even, for the pairs

template <bool EVEN>
__device__ static void copy_pair(float *to, const float *from, bool both)
{
    if (EVEN) {
        *(float2 *)to = *(const float2 *)from;
    } else {
        to[0] = from[0];
        if (both)
            to[1] = from[1];
    }
}

template <bool EVEN>
__global__ void transpose_in_and_out_buffers(float *out, const float *in, size_t n)
{
    __shared__ __align__(8) float a[SIDE][PITCH];
    __shared__ __align__(8) float b[SIDE][PITCH];
    size_t left = (size_t)blockIdx.x * SIDE, top = (size_t)blockIdx.y * SIDE;
    int tx = threadIdx.x * 2, ty = threadIdx.y;

    for (int j = ty; j < SIDE; j += 16)
        if (top + j < n && left + tx < n)
            copy_pair<EVEN>(&a[j][tx], &in[(top + j) * n + left + tx], left + tx + 1 < n);
    __syncthreads();

    int t = ty * 16 + threadIdx.x;
    for (int j = t / SIDE; j < SIDE; j += 256 / SIDE)
        if (top + j < n && left + t % SIDE < n)
            b[t % SIDE][j] = a[j][t % SIDE];
    __syncthreads();

    for (int j = ty; j < SIDE; j += 16)
        if (left + j < n && top + tx < n)
            copy_pair<EVEN>(&out[(left + j) * n + top + tx], &b[j][tx], top + tx + 1 < n);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + SIDE - 1) / SIDE, (n + SIDE - 1) / SIDE), block(16, 16);
    if (n % 2 == 0)
        transpose_in_and_out_buffers<true><<<grid, block>>>(out, in, n);
    else
        transpose_in_and_out_buffers<false><<<grid, block>>>(out, in, n);
}

STEP(72, OPTIMISE, "in and out tiles, 8 bytes", "turned from one shared tile to another")
