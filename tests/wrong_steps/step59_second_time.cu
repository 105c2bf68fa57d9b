// Planted bug: its second kernel is right the first time that the step is launched, and never ends the next time.
#include "step.h"

__global__ void half_of_rows(float *out, const float *in, size_t n, size_t first, bool ends)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = first + blockIdx.y;
    if (col >= n || row >= n)
        return;
    const volatile float *waited = out;
    while (!ends && *waited != -1)
        ;
    out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    static int times;
    size_t half = (n + 1) / 2;
    half_of_rows<<<dim3((n + 255) / 256, half), 256>>>(out, in, n, 0, true);
    half_of_rows<<<dim3((n + 255) / 256, half), 256>>>(out, in, n, half, times++ == 0);
}

STEP(59, OPTIMISE, "second time", "a planted bug")
