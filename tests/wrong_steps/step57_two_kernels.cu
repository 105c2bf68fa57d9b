// Planted bug: none. The first of its two kernels holds few warps on an SM, the second is the larger.
#include "step.h"

enum { WIDTH = 32, KEPT = 12 << 10 }; // 48 KiB of floats

__global__ void first_row(float *out, const float *in, size_t n)
{
    __shared__ volatile float kept[KEPT]; // else a compiler does without it
    for (size_t col = threadIdx.x; col < n; col += WIDTH) {
        kept[threadIdx.x + (col / WIDTH * WIDTH) % KEPT] = in[col];
        out[col * n] = kept[threadIdx.x + (col / WIDTH * WIDTH) % KEPT];
    }
}

__global__ void other_rows(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y + 1;
    if (col < n && row < n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    first_row<<<1, WIDTH>>>(out, in, n);
    other_rows<<<dim3((n + 255) / 256, n), 256>>>(out, in, n);
}

STEP(57, OPTIMISE, "two kernels", "a planted bug")
