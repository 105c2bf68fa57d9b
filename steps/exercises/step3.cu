// Exercise 3: one thread per element.
//
// Below is step 2: n threads are too few to fill a GPU, and each waits for its loads one by one.
//
// Task: let each thread move one element, so that the outer loop becomes blocks.
//   - let the grid's second dimension, blockIdx.y, be the row
//   - launch ceil(n / 1024) x n blocks of 1024 threads; the guard for the last one of a row stays
// Goal: 90 % of the reference's bandwidth, and load efficiency still 100 %: neighbouring threads read
// neighbouring elements.
//
// make my3 && ./run builds and judges it; make hint3 helps.
#include "step.h"

__global__ void my_per_element(float *out, const float *in, int n)
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
    my_per_element<<<blocks, threads>>>(out, in, n);
}

EXERCISE(3, PARALLELISE, "my thread per element", "the outer loop became blocks",
         {"gld_efficiency", AT_LEAST, 100})
