// Planted bug: every thread waits for a value that never comes.
#include "step.h"

__global__ void endless_loop(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    const volatile float *waited = out;
    while (*waited != 1)
        ;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    endless_loop<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

STEP(50, OPTIMISE, "endless loop", "a planted bug")
