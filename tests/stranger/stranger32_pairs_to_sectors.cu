// Without shared memory: a thread reads a pair of 8 bytes from each of 8 rows and writes two runs of 8 elements, by
// blocks of 96 threads side by side. An n that 8 does not divide is moved element by element.
#include "step.h"

enum { WIDE = 2, HIGH = 8, THREADS = 96 };

static __device__ void store_eight(float *to, const float *v)
{
    ((float4 *)to)[0] = make_float4(v[0], v[1], v[2], v[3]);
    ((float4 *)to)[1] = make_float4(v[4], v[5], v[6], v[7]);
}

__global__ void transpose_pairs_to_sectors(float *__restrict__ out, const float *__restrict__ in,
                                           int n)
{
    int x = (blockIdx.x * THREADS + threadIdx.x) * WIDE, y = blockIdx.y * HIGH;
    if (x >= n)
        return;

    float left[HIGH], right[HIGH];
#pragma unroll
    for (int k = 0; k < HIGH; k++) {
        float2 pair = *(const float2 *)&in[(y + k) * n + x];
        left[k] = pair.x;
        right[k] = pair.y;
    }
    store_eight(&out[x * n + y], left);
    store_eight(&out[(x + 1) * n + y], right);
}

__global__ void transpose_patches(float *__restrict__ out, const float *__restrict__ in, int n)
{
    int x = (blockIdx.x * THREADS + threadIdx.x) * WIDE, y = blockIdx.y * HIGH;

#pragma unroll
    for (int k = 0; k < HIGH; k++)
        for (int j = 0; j < WIDE; j++)
            if (x + j < n && y + k < n)
                out[(x + j) * n + y + k] = in[(y + k) * n + x + j];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + THREADS * WIDE - 1) / (THREADS * WIDE), (n + HIGH - 1) / HIGH);
    if (n % HIGH == 0)
        transpose_pairs_to_sectors<<<grid, THREADS>>>(out, in, n);
    else
        transpose_patches<<<grid, THREADS>>>(out, in, n);
}

STEP(32, OPTIMISE, "patches 2 x 8, 8 and 16 bytes, 96 x 1", "pairs in, whole sectors out")
