// A tile that is padded by the wrong number, 16 words: sixteen lanes of a warp meet in a bank. Stores by __stcs.
#include "../kernels/launch.h"

#define SIDE 32
#define PADDING 16

__global__ void transpose_sixteen_way(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + PADDING];
    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;

    for (int j = 0; j < SIDE; j += 4) {
        if (x < n && y + j < n)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    }

    __syncthreads();

    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int j = 0; j < SIDE; j += 4) {
        if (x < n && y + j < n)
            __stcs(&out[(y + j) * n + x], tile[threadIdx.x][threadIdx.y + j]);
    }
}

LAUNCH_2D(transpose_sixteen_way, SIDE, SIDE, 32, 4)
STEP(81, OPTIMISE, "tile 32 x 48, 32 x 4, __stcs", "sixteen-way bank conflicts")
