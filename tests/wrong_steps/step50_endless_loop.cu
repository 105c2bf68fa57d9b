// Planted bug: every thread waits for a value that never comes.
#include "../kernels/launch.h"

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

LAUNCH_ROWS(endless_loop, 128)
STEP(50, OPTIMISE, "endless loop", "a planted bug")
