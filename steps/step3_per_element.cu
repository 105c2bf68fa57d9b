// Step 3: the elements are independent too: one thread each, and no loop is left.
#include "step.h"

__global__ void transpose_per_element(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 1024, blocks = (n + threads - 1) / threads;
    const size_t most = 65535; // blocks that a grid has in y at most: beyond, one more grid
    for (size_t row = 0; row < n; row += most) {
        dim3 grid(blocks, n - row < most ? n - row : most);
        transpose_per_element<<<grid, threads>>>(out + row, in + row * n, n);
    }
}

STEP(3, PARALLELISE, "one thread per element", "the outer loop became blocks")
