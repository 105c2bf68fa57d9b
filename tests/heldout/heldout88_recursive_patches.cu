// The cache-oblivious recursion by quarters, as a loop: each thread visits 16 x 16 elements in Z-order, and its row and
// column are the even and the odd bits of a counter. Blocks of 8 x 8 threads.
#include "../kernels/launch.h"

enum { LEVELS = 4, PATCH = 1 << LEVELS };

__global__ void transpose_recursive_patches(float *out, const float *in, size_t n)
{
    size_t left = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * PATCH;
    size_t top = ((size_t)blockIdx.y * blockDim.y + threadIdx.y) * PATCH;
    if (left >= n || top >= n)
        return;

    for (unsigned visit = 0; visit < PATCH * PATCH; visit++) {
        size_t col = left, row = top;
        for (int level = 0; level < LEVELS; level++) {
            col += (visit >> (2 * level) & 1) << level;
            row += (visit >> (2 * level + 1) & 1) << level;
        }
        if (row < n && col < n)
            out[col * n + row] = in[row * n + col];
    }
}

LAUNCH_2D(transpose_recursive_patches, 8 * PATCH, 8 * PATCH, 8, 8)
STEP(88, PARALLELISE, "16 x 16 a thread in Z-order, 8 x 8", "a recursion by quarters as a loop")
