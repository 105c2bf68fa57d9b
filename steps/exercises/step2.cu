// Exercise 2: one thread per column.
//
// Below is step 1: one thread walks the whole matrix while the GPU idles, and takes 4 bytes from each
// sector of 32 that it loads.
//
// Task: let each thread walk down one column, so that the inner loop becomes threads.
//   - col is the thread's own number: from blockIdx.x, blockDim.x and threadIdx.x
//   - launch enough blocks of 1024 threads for n columns; n may be any size, so some threads have none
// Goal: load efficiency 100 %, for neighbouring threads read neighbouring elements, and 90 % of the
// reference's bandwidth.
//
// make my2 && ./run builds and judges it; make hint2 helps. It runs at n = 1024, as step 1 does.
#include "step.h"

__global__ void my_per_column(float *out, const float *in, int n)
{
    for (int row = 0; row < n; row++)
        for (int col = 0; col < n; col++)
            out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    my_per_column<<<1, 1>>>(out, in, n);
}

EXERCISE(2, PARALLELISE, "my thread per column", "the inner loop became threads",
         {"gld_efficiency", AT_LEAST, 100})
