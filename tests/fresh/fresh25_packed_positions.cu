// A tensor library's kernel for dimensions that do not fill a tile: 48 x 48 elements are packed in shared memory in the
// order they come, and each of 256 threads works out its nine positions once, for all the tiles it is given.
#include "step.h"

enum { SIDE = 48, THREADS = 256, REGISTERS = SIDE * SIDE / THREADS, MOST_BLOCKS = 2048 };

__global__ void __launch_bounds__(THREADS, 4)
    transpose_packed_positions(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float packed[SIDE * SIDE];

    int major[REGISTERS], minor[REGISTERS];
#pragma unroll
    for (int j = 0; j < REGISTERS; j++) {
        int position = threadIdx.x + j * THREADS;
        major[j] = position / SIDE;
        minor[j] = position % SIDE;
    }

    const int across = (n + SIDE - 1) / SIDE;
    for (int t = blockIdx.x; t < across * across; t += gridDim.x) {
        const int left = t % across * SIDE, top = t / across * SIDE;
        const float *from = in + (size_t)top * n + left;
        float *to = out + (size_t)left * n + top;

        __syncthreads();
#pragma unroll
        for (int j = 0; j < REGISTERS; j++)
            if (top + major[j] < n && left + minor[j] < n)
                packed[threadIdx.x + j * THREADS] = from[(size_t)major[j] * n + minor[j]];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < REGISTERS; j++)
            if (left + major[j] < n && top + minor[j] < n)
                to[(size_t)major[j] * n + minor[j]] = packed[minor[j] * SIDE + major[j]];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    size_t across = (n + SIDE - 1) / SIDE, blocks = across * across;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    transpose_packed_positions<<<blocks, THREADS>>>(out, in, n);
}

STEP(25, OPTIMISE, "packed tile 48 x 48, 256 x 1", "positions in registers, no padding")
