// No tile: each thread moves a patch of 4 x 4 elements by words, and leaves the rest to the caches.
#include "step.h"

enum { PATCH = 4 };

__global__ void transpose_cached_patches(float *__restrict__ out, const float *__restrict__ in,
                                         int n)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * PATCH;
    int y = (blockIdx.y * blockDim.y + threadIdx.y) * PATCH;
    for (int i = 0; i < PATCH; i++)
        for (int k = 0; k < PATCH; k++)
            if (x + k < n && y + i < n)
                out[(size_t)(x + k) * n + y + i] = in[(size_t)(y + i) * n + x + k];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned patches = (n + PATCH - 1) / PATCH;
    dim3 threads(16, 16), grid((patches + 15) / 16, (patches + 15) / 16);
    transpose_cached_patches<<<grid, threads>>>(out, in, n);
}

STEP(35, PARALLELISE, "patch of 4 x 4 by words, 16 x 16", "caches in place of a tile")
