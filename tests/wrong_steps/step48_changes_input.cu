// Planted bug: one element of the input is changed, after it was read.
#include "../kernels/launch.h"

__global__ void changes_input(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
    if (col == 7 && row == 5)
        const_cast<float *>(in)[(size_t)row * n + col] = 0;
}

LAUNCH_ROWS(changes_input, 128)
STEP(48, OPTIMISE, "input changed", "a planted bug")
