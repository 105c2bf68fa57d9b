// A tile of 8 x 8: two warps a block, a sector a row.
#include "../kernels/launch.h"

enum { SIDE = 8 };

__global__ void transpose_small_tile(float *out, const float *in, int n)
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

LAUNCH_TILES(transpose_small_tile, SIDE)
STEP(17, OPTIMISE, "padded tile 8 x 8", "many small blocks")
