// A panel of 32 columns and 512 rows in 66 KB of dynamic shared memory, so that each of its columns is 2 KB of the
// output. 512 threads; each warp loads eight rows before it keeps them, and stores write through.
#include "step.h"

#include <cuda_runtime.h>

constexpr int WIDTH = 32, HEIGHT = 512, PITCH = WIDTH + 1, WARPS = 16, AHEAD = 8;

__global__ void __launch_bounds__(32 * WARPS)
    transpose_tall_panel(float *__restrict__ out, const float *__restrict__ in, int n)
{
    extern __shared__ float panel[];

    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int left = blockIdx.x * WIDTH, top = blockIdx.y * HEIGHT;
    const int height = min(HEIGHT, n - top), width = min(WIDTH, n - left);

    if (lane < width) {
        const float *from = in + (size_t)top * n + left + lane;
        for (int row = warp * AHEAD; row < height; row += WARPS * AHEAD) {
            float v[AHEAD];
#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                v[i] = row + i < height ? from[(size_t)(row + i) * n] : 0.0f;
#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                panel[(row + i) * PITCH + lane] = v[i];
        }
    }
    __syncthreads();

    for (int column = warp; column < width; column += WARPS) {
        float *to = out + (size_t)(left + column) * n + top;
        for (int row = lane; row < height; row += 32)
            __stwt(to + row, panel[row * PITCH + column]);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    const size_t bytes = sizeof(float) * HEIGHT * PITCH;
    cudaFuncSetAttribute(transpose_tall_panel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         (int)bytes);
    dim3 grid((n + WIDTH - 1) / WIDTH, (n + HEIGHT - 1) / HEIGHT);
    transpose_tall_panel<<<grid, 32 * WARPS, bytes>>>(out, in, n);
}

STEP(56, OPTIMISE, "panel 32 x 512, 66 KB, 512 x 1", "columns of 2 KB, written through")
