// A tile of 20 x 20 by 20 x 5 threads, padded by two words; loads are volatile, and stores write through.
#include "../kernels/launch.h"

enum { EDGE = 20 };

__global__ void transpose_volatile_twenty(float *out, const volatile float *in, int n)
{
    __shared__ float tile[EDGE][EDGE + 2];
    const int left = blockIdx.x * EDGE, top = blockIdx.y * EDGE;
    const int tx = threadIdx.x;

    for (int ty = threadIdx.y; ty < EDGE; ty += 5) {
        if (left + tx < n && top + ty < n)
            tile[ty][tx] = in[(top + ty) * n + (left + tx)];
    }
    __syncthreads();
    for (int ty = threadIdx.y; ty < EDGE; ty += 5) {
        if (top + tx < n && left + ty < n)
            __stwt(out + (left + ty) * n + (top + tx), tile[tx][ty]);
    }
}

LAUNCH_2D(transpose_volatile_twenty, EDGE, EDGE, EDGE, 5)
STEP(82, OPTIMISE, "tile 20 x 22, 20 x 5, volatile", "no power of two, __stwt")
