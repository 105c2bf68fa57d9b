// Planted bug: the buffer that the kernel reads was never filled.
#include <cuda_runtime.h>

#include "step.h"

__global__ void uninitialised_buffer(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *, size_t n)
{
    float *copy;
    cudaMalloc(&copy, n * n * sizeof *copy);
    uninitialised_buffer<<<dim3((n + 127) / 128, n), 128>>>(out, copy, n);
    cudaFree(copy);
}

STEP(122, DEPLOY, "uninitialised buffer", "a copy that is never made")
