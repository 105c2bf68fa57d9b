// Step 2: the columns are independent, so each gets a thread of its own.
#include "step.h"

__global__ void transpose_per_column(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n)
        return;
    for (int row = 0; row < n; row++)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 1024;
    unsigned blocks = (n + threads - 1) / threads;
    transpose_per_column<<<blocks, threads>>>(out, in, n);
}

STEP(2, PARALLELISE, "one thread per column", "the inner loop became threads")
