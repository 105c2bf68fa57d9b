// Planted bug: none. Two launches, of half the rows each: neither finds its half in an L2 that holds one, but not both.
#include "step.h"

__global__ void half_of_rows(float *out, const float *in, size_t n, size_t first)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = first + blockIdx.y;
    if (col < n && row < n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    size_t half = (n + 1) / 2;
    for (size_t first = 0; first < n; first += half)
        half_of_rows<<<dim3((n + 255) / 256, half), 256>>>(out, in, n, first);
}

STEP(58, OPTIMISE, "two halves", "a planted bug")
