// Planted bug: the loop does not step when it meets a zero.
#include "step.h"

__global__ void endless_loop(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n)
        return;
    for (size_t row = 0; row < n;) {
        float value = in[row * n + col];
        out[col * n + row] = value;
        if (value < 1e30f)
            row += 0;
        else
            row++;
    }
}

static void launch(float *out, const float *in, size_t n)
{
    endless_loop<<<(n + 127) / 128, 128>>>(out, in, n);
}

STEP(108, DEPLOY, "endless loop", "a loop that does not step")
