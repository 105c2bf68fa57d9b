// As many blocks of 1024 threads as the device holds at once, by the occupancy calculator; they share the tiles of
// 128 x 64 between them, down the columns of tiles first. Loads are marked as read once.
#include "step.h"

enum { WIDTH = 128, HEIGHT = 64, THREADS = 1024 };

__global__ void __launch_bounds__(THREADS)
    transpose_as_many_as_fit(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tile[HEIGHT][WIDTH + 1];

    const int tiles_down = (n + HEIGHT - 1) / HEIGHT, tiles_across = (n + WIDTH - 1) / WIDTH;
    const int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    const int r = threadIdx.x % HEIGHT, c = threadIdx.x / HEIGHT;

    for (int t = blockIdx.x; t < tiles_down * tiles_across; t += gridDim.x) {
        const int left = t / tiles_down * WIDTH, top = t % tiles_down * HEIGHT;
#pragma unroll
        for (int i = 0; i < HEIGHT; i += THREADS / WIDTH)
            if (top + y + i < n && left + x < n)
                tile[y + i][x] = __ldcs(in + (size_t)(top + y + i) * n + left + x);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < WIDTH; i += THREADS / HEIGHT)
            if (left + c + i < n && top + r < n)
                out[(size_t)(left + c + i) * n + top + r] = tile[r][c + i];
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    int device = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, transpose_as_many_as_fit, THREADS,
                                                  0);
    transpose_as_many_as_fit<<<sms * blocks_per_sm, THREADS>>>(out, in, n);
}

STEP(57, OPTIMISE, "padded tile 128 x 64, 1024 x 1", "as many blocks as are resident")
