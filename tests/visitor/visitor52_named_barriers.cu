// Two warps share a padded tile of 32 x 32 and a named barrier: four such pairs a block, which never wait for each
// other, and four blocks an SM, whose pairs share out the tiles.
#include "step.h"

#include <cuda_runtime.h>

constexpr int SIDE = 32, PAIR = 64, PAIRS = 4, EACH = SIDE * SIDE / PAIR, BLOCKS_PER_SM = 4;

static __device__ void pair_sync(int pair)
{
    asm volatile("bar.sync %0, %1;" ::"r"(pair + 1), "n"(PAIR) : "memory");
}

__global__ void __launch_bounds__(PAIR *PAIRS, BLOCKS_PER_SM)
    transpose_named_barriers(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tiles[PAIRS][SIDE][SIDE + 1];

    const int pair = threadIdx.x / PAIR, half = threadIdx.x / 32 % 2, lane = threadIdx.x % 32;
    const int across = (n + SIDE - 1) / SIDE;
    float(*tile)[SIDE + 1] = tiles[pair];

    for (int t = blockIdx.x * PAIRS + pair; t < across * across; t += gridDim.x * PAIRS) {
        const int top = t / across * SIDE, left = t % across * SIDE;

        float held[EACH];
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            int row = top + half + 2 * i;
            bool within = row < n && left + lane < n;
            held[i] = within ? __ldcs(&in[(size_t)row * n + left + lane]) : 0.0f;
        }
        pair_sync(pair); // both have written what was in the tile
#pragma unroll
        for (int i = 0; i < EACH; i++)
            tile[half + 2 * i][lane] = held[i];
        pair_sync(pair);
#pragma unroll
        for (int i = 0; i < EACH; i++) {
            int row = left + half * EACH + i;
            if (row < n && top + lane < n)
                __stcs(&out[(size_t)row * n + top + lane], tile[lane][half * EACH + i]);
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    int device = 0, sms = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    transpose_named_barriers<<<sms * BLOCKS_PER_SM, PAIR * PAIRS>>>(out, in, n);
}

STEP(52, OPTIMISE, "padded tile per two warps, 256 x 1", "named barriers, four blocks an SM")
