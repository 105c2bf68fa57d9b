// Step 2: the columns are independent, so each gets a thread of its own.
#include "step.h"

__global__ void transpose_per_column(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n)
        return;
    for (size_t row = 0; row < n; row++)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 1024;
    unsigned blocks = (n + threads - 1) / threads;
    transpose_per_column<<<blocks, threads>>>(out, in, n);
}

STEP(2, PARALLELISE, "one thread per column", "the inner loop became threads")
