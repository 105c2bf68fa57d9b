// The tile's width and height are arguments of the kernel, as is its pitch in dynamic shared memory: no loop has a
// length that the compiler knows.
#include "step.h"

__global__ void transpose_sizes_as_arguments(float *out, const float *in, int n, int width,
                                             int height, int pitch)
{
    extern __shared__ float held[];

    int left = blockIdx.x * width, top = blockIdx.y * height;
    for (int y = threadIdx.y; y < height && top + y < n; y += blockDim.y)
        for (int x = threadIdx.x; x < width && left + x < n; x += blockDim.x)
            held[y * pitch + x] = in[(top + y) * n + left + x];
    __syncthreads();

    for (int y = threadIdx.y; y < width && left + y < n; y += blockDim.y)
        for (int x = threadIdx.x; x < height && top + x < n; x += blockDim.x)
            out[(left + y) * n + top + x] = held[x * pitch + y];
}

static void launch(float *out, const float *in, size_t n)
{
    int width = n >= 256 ? 64 : 32, height = n >= 256 ? 96 : 32, pitch = width + 1;
    dim3 grid((n + width - 1) / width, (n + height - 1) / height), threads(32, 16);
    size_t bytes = sizeof(float) * height * pitch;
    transpose_sizes_as_arguments<<<grid, threads, bytes>>>(out, in, n, width, height, pitch);
}

STEP(38, OPTIMISE, "tile 64 x 96, dynamic, 32 x 16", "its sizes are arguments")
