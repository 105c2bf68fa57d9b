// Planted bug: a table in constant memory has an entry too few.
#include "../kernels/launch.h"

enum { ENTRIES = 31 };

__constant__ int offsets[ENTRIES];

__global__ void constant_beyond(float *out, const float *in, size_t n)
{
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[col * n + row] = in[row * n + col] + (float)offsets[threadIdx.x % 32];
}

LAUNCH_ROWS(constant_beyond, 128)
STEP(135, DEPLOY, "constant beyond", "lane 31 reads the table's end")
