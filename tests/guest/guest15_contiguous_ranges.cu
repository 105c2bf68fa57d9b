// Four blocks an SM divide the tiles among them as OpenMP would: a contiguous range each, along the rows of tiles.
// Padded tiles of 64 x 64 by 256 threads, 16 elements each, all of which are loaded before the first is kept.
#include "step.h"

enum { SIDE = 64, THREADS = 256, ROWS = THREADS / SIDE, EACH = SIDE / ROWS, BLOCKS_PER_SM = 4 };

__global__ void __launch_bounds__(THREADS, BLOCKS_PER_SM)
    transpose_contiguous_ranges(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];

    const int across = (n + SIDE - 1) / SIDE;
    const long long tiles = (long long)across * across;
    const int begin = tiles * blockIdx.x / gridDim.x;
    const int end = tiles * (blockIdx.x + 1) / gridDim.x;
    const int tx = threadIdx.x % SIDE, ty = threadIdx.x / SIDE;

    for (int t = begin; t < end; t++) {
        const int left = t % across * SIDE, top = t / across * SIDE;

        float v[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            int row = top + ty + i * ROWS;
            v[i] = left + tx < n && row < n ? in[(size_t)row * n + left + tx] : 0.0f;
        }
#pragma unroll
        for (int i = 0; i < EACH; i++)
            tile[ty + i * ROWS][tx] = v[i];
        __syncthreads();

#pragma unroll
        for (int i = 0; i < EACH; i++) {
            int row = left + ty + i * ROWS;
            if (top + tx < n && row < n)
                out[(size_t)row * n + top + tx] = tile[tx][ty + i * ROWS];
        }
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    int device = 0, sms = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    size_t across = (n + SIDE - 1) / SIDE, blocks = (size_t)sms * BLOCKS_PER_SM;
    if (blocks > across * across)
        blocks = across * across;
    transpose_contiguous_ranges<<<blocks, THREADS>>>(out, in, n);
}

STEP(15, OPTIMISE, "a range of tiles 64 x 64 a block", "four blocks an SM, 256 x 1")
