// As an older framework's loop macro has it: a grid-stride loop over the elements of the input, by at most 4096 blocks
// of 512, with 64-bit indices. Rows and columns by division; the stores of a warp are scattered.
#include "step.h"

#define KERNEL_LOOP(i, count)                                                                      \
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < (count);              \
         i += (long long)blockDim.x * gridDim.x)

enum { THREADS = 512, MOST_BLOCKS = 4096 };

template <typename T>
__global__ void transpose_kernel_loop(const long long count, const T *in, T *out,
                                      const long long height, const long long width)
{
    KERNEL_LOOP(i, count)
    {
        const long long row = i / width, column = i % width;
        out[column * height + row] = in[i];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    size_t blocks = (n * n + THREADS - 1) / THREADS;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    transpose_kernel_loop<float><<<blocks, THREADS>>>(n * n, in, out, n, n);
}

STEP(43, OPTIMISE, "loop over the input, 512 x 1", "64-bit indices, 4096 blocks at most")
