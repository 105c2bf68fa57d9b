// Planted mistake: the threads of the last block that have no column get one all the same.
#include "step.h"

__global__ void no_guard(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    for (int row = 0; row < n; row++)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 1024;
    unsigned blocks = (n + threads - 1) / threads;
    no_guard<<<blocks, threads>>>(out, in, n);
}

EXERCISE(2, PARALLELISE, "my thread per column", "the inner loop became threads",
         {"gld_efficiency", AT_LEAST, 100})
