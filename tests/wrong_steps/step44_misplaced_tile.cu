// Planted bug: the tile is turned, but stays on its side of the diagonal.
#include "../kernels/launch.h"

enum { SIDE = 16 };

__global__ void misplaced_tile(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];

    int x = blockIdx.x * SIDE + threadIdx.x;
    int y = blockIdx.y * SIDE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)y * n + x];
    __syncthreads();

    if (x < n && y < n)
        out[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
}

LAUNCH_TILES(misplaced_tile, SIDE)
STEP(44, OPTIMISE, "tile misplaced", "a planted bug")
