// Planted bug: reads two elements at an odd place.
#include "../kernels/launch.h"

__global__ void misaligned(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n && row < n) {
        float2 pair = *(const float2 *)(in + (row * n + col) / 2 * 2 + 1);
        out[col * n + row] = col % 2 ? pair.x : pair.y;
    }
}

LAUNCH_ROWS(misaligned, 128)
STEP(116, DEPLOY, "misaligned", "float2 at an odd element")
