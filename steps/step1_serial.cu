// Step 1: the CPU's two loops, moved to the GPU as they are.
#include "step.h"

__global__ void transpose_serial(float *out, const float *in, int n)
{
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
            out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_serial<<<1, 1>>>(out, in, n);
}

STEP(1, ASSESS, "one serial thread", "the CPU's loops, unchanged, on the GPU")
