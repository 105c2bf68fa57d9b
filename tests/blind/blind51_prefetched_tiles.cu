// A fixed number of blocks that load the next tile into registers before they store the one that they have.
#include "step.h"

enum { SIDE = 32, STEP_ROWS = 8, EACH = SIDE / STEP_ROWS, BLOCKS = 528 };

static __device__ void load_tile(float v[EACH], const float *in, int n, int left, int top)
{
    int x = left + threadIdx.x, y = top + threadIdx.y;
#pragma unroll
    for (int k = 0; k < EACH; k++)
        v[k] = x < n && y + k * STEP_ROWS < n ? in[(size_t)(y + k * STEP_ROWS) * n + x] : 0;
}

__global__ void transpose_prefetched_tiles(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int across = (n + SIDE - 1) / SIDE, t = blockIdx.x;
    float v[EACH];
    load_tile(v, in, n, t % across * SIDE, t / across * SIDE);
    for (; t < across * across; t += gridDim.x) {
#pragma unroll
        for (int k = 0; k < EACH; k++)
            tile[threadIdx.y + k * STEP_ROWS][threadIdx.x] = v[k];
        __syncthreads();
        int next = t + gridDim.x;
        load_tile(v, in, n, next % across * SIDE, next / across * SIDE);
        int x = t / across * SIDE + threadIdx.x, y = t % across * SIDE + threadIdx.y;
        for (int k = 0; k < SIDE; k += STEP_ROWS)
            if (x < n && y + k < n)
                out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_prefetched_tiles<<<BLOCKS, dim3(SIDE, STEP_ROWS)>>>(out, in, n);
}

STEP(51, OPTIMISE, "padded tile, next one prefetched", "a software pipeline in registers")
