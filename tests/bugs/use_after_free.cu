// Planted bug: the copy that the kernel reads was freed before it ran.
#include <cuda_runtime.h>

#include "step.h"

__global__ void use_after_free(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[col * n + row] = in[row * n + col];
}

static void launch(float *out, const float *in, size_t n)
{
    float *copy;
    cudaMalloc(&copy, n * n * sizeof *copy);
    cudaMemcpy(copy, in, n * n * sizeof *copy, cudaMemcpyDeviceToDevice);
    cudaFree(copy);
    use_after_free<<<dim3((n + 127) / 128, n), 128>>>(out, copy, n);
}

STEP(121, DEPLOY, "use after free", "a copy that is freed too early")
