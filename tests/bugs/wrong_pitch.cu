// Planted bug: takes the rows to be padded to 64 elements.
#include "../kernels/launch.h"

__global__ void wrong_pitch(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    size_t pitch = (n + 63) / 64 * 64;
    if (col < n && row < n)
        out[col * n + row] = in[row * pitch + col];
}

LAUNCH_ROWS(wrong_pitch, 128)
STEP(112, DEPLOY, "wrong pitch", "a pitch that the matrix has not")
