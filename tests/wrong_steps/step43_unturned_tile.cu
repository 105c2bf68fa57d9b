// Planted bug: the tile moves across the diagonal, but is read back as it was written.
#include "../kernels/launch.h"

enum { SIDE = 16 };

__global__ void unturned_tile(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];

    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();

    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[threadIdx.y][threadIdx.x];
}

LAUNCH_TILES(unturned_tile, SIDE)
STEP(43, OPTIMISE, "tile not turned", "a planted bug")
