// The padded tile with a thread for each element.
#include "../kernels/launch.h"

enum { SIDE = 32 };

__global__ void transpose_padded_tile_full(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
}

LAUNCH_TILES(transpose_padded_tile_full, SIDE)
STEP(20, OPTIMISE, "padded tile 32 x 32, 32 x 32 threads", "a thread for each element")
