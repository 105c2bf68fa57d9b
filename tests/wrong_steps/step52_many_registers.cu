// Planted bug: 1024 threads of over 64 registers each, more than an SM's 65536 hold.
#include "../kernels/launch.h"

// Every element of `kept` is read after all are written, so all must be in registers at once.
__global__ void many_registers(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col >= n)
        return;
    float kept[128], sum = 0;
#pragma unroll
    for (int i = 0; i < 128; i++)
        kept[i] = in[(size_t)row * n + (col + i) % n];
    __threadfence();
#pragma unroll
    for (int i = 127; i > 0; i--)
        sum = sum * kept[i] + kept[i - 1];
    out[(size_t)col * n + row] = sum == 1 ? sum : kept[0];
}

LAUNCH_ROWS(many_registers, 1024)
STEP(52, OPTIMISE, "too many registers", "a planted bug")
