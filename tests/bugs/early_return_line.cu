// Planted bug: threads outside the matrix return before they have loaded what others read.
#include "../kernels/launch.h"

enum { LINE = 64 };

__global__ void early_return_line(float *out, const float *in, size_t n)
{
    __shared__ float line[LINE];
    size_t first = (size_t)blockIdx.x * LINE, col = first + threadIdx.x, row = blockIdx.y;
    if (col >= n)
        return;
    unsigned other = (threadIdx.x + 1) % LINE;
    if (first + other < n)
        line[other] = in[row * n + first + other];
    __syncthreads();
    out[col * n + row] = line[threadIdx.x];
}

LAUNCH_ROWS(early_return_line, LINE)
STEP(123, DEPLOY, "early return, line", "a return that leaves part of the line unwritten")
