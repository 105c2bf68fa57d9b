// Planted mistake: neighbouring threads go down a column: now the loads are scattered.
#include "step.h"

__global__ void swapped_axes(float *out, const float *in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y;
    if (row < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 1024, blocks = (n + threads - 1) / threads;
    const size_t most = 65535; // blocks that a grid has in y at most: beyond, one more grid
    for (size_t row = 0; row < n; row += most) {
        dim3 grid(blocks, n - row < most ? n - row : most);
        swapped_axes<<<grid, threads>>>(out + row * n, in + row, n);
    }
}

EXERCISE(3, PARALLELISE, "my thread per element", "the outer loop became blocks",
         {"gld_efficiency", AT_LEAST, 100})
