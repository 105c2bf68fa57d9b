// A grid-stride loop over the elements of the output, by blocks of 1024: each finds its row and column by division.
#include "step.h"

__global__ void transpose_flat_loop(float *out, const float *in, size_t n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t count = n * n;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
        size_t row = i / n;
        size_t col = i % n;
        out[i] = in[col * n + row];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    size_t blocks = (n * n + 1023) / 1024;
    if (blocks > 264)
        blocks = 264;
    transpose_flat_loop<<<(unsigned)blocks, 1024>>>(out, in, n);
}

STEP(62, PARALLELISE, "grid-stride loop, 264 x 1024", "a 1-D loop, / and % for the position")
