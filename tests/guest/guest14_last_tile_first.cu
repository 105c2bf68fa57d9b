// Whoever wrote the input has left its end in the L2: so the blocks take the last tile first, in groups of 8 x 8 tiles.
// A padded tile of 64 x 32 by 64 x 4 threads; loads stay out of the L1, and stores are streaming.
#include "step.h"

#define TILE_X 64
#define TILE_Y 32
#define THREADS_Y 4
#define THREADS (TILE_X * THREADS_Y)
#define GROUP 8

__global__ void __launch_bounds__(THREADS)
    transpose_last_tile_first(float *__restrict__ out, const float *__restrict__ in, int n,
                              int groups_x)
{
    __shared__ float tile[TILE_Y][TILE_X + 1];

    int number = gridDim.x - 1 - blockIdx.x;
    int group = number / (GROUP * GROUP), within = number % (GROUP * GROUP);
    int x0 = (group % groups_x * GROUP + within % GROUP) * TILE_X;
    int y0 = (group / groups_x * GROUP + within / GROUP) * TILE_Y;
    if (x0 >= n || y0 >= n)
        return;

    int tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
    for (int j = 0; j < TILE_Y; j += THREADS_Y)
        if (x0 + tx < n && y0 + ty + j < n)
            tile[ty + j][tx] = __ldcg(&in[(size_t)(y0 + ty + j) * n + x0 + tx]);
    __syncthreads();

    int thread = ty * TILE_X + tx;
    tx = thread % TILE_Y;
    ty = thread / TILE_Y;
#pragma unroll
    for (int j = 0; j < TILE_X; j += THREADS / TILE_Y)
        if (y0 + tx < n && x0 + ty + j < n)
            __stcs(&out[(size_t)(x0 + ty + j) * n + y0 + tx], tile[tx][ty + j]);
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned groups_x = (n + GROUP * TILE_X - 1) / (GROUP * TILE_X);
    unsigned groups_y = (n + GROUP * TILE_Y - 1) / (GROUP * TILE_Y);
    unsigned blocks = groups_x * groups_y * GROUP * GROUP;
    transpose_last_tile_first<<<blocks, dim3(TILE_X, THREADS_Y)>>>(out, in, n, groups_x);
}

STEP(14, OPTIMISE, "padded tile 64 x 32, last first", "backwards, 8 x 8 tiles a group, 64 x 4")
