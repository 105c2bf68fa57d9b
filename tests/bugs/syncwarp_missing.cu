// Planted bug: half of the lanes of a warp wait for all at a __syncwarp().
#include "../kernels/launch.h"

__global__ void syncwarp_missing(float *out, const float *in, size_t n)
{
    __shared__ float tile[128];
    size_t col = (size_t)blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    tile[threadIdx.x] = col < n ? in[row * n + col] : 0;
    if (threadIdx.x % 32 < 16)
        __syncwarp();
    if (col < n)
        out[col * n + row] = tile[threadIdx.x ^ 1];
}

LAUNCH_ROWS(syncwarp_missing, 128)
STEP(152, DEPLOY, "syncwarp missing", "lanes 16 to 31 do not come")
