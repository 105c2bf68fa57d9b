// Each of four warps walks down eight tiles of 32 x 16 alone: asynchronous copies of 4 bytes fill one of its two padded
// buffers while it stores the other, a half warp a row. No barrier but the warp's.
#include "step.h"

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#error cp.async needs compute capability 8.0
#endif

enum { WIDTH = 32, HEIGHT = 16, WARPS = 4, TILES = 8 };

static __device__ void copy_async(float *to, const float *from)
{
    asm volatile("{ .reg .u64 to; cvta.to.shared.u64 to, %0;\n"
                 "cp.async.ca.shared.global [to], [%1], 4; }" ::"l"(to),
                 "l"(from)
                 : "memory");
}

static __device__ void start(float (*buffer)[WIDTH + 1], const float *in, int n, int x, int top)
{
    if (x < n) {
#pragma unroll
        for (int r = 0; r < HEIGHT; r++)
            if (top + r < n)
                copy_async(&buffer[r][threadIdx.x], in + (size_t)(top + r) * n + x);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__global__ void __launch_bounds__(32 * WARPS)
    transpose_warp_pipelines(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float buffers[WARPS][2][HEIGHT][WIDTH + 1];

    float(*mine)[HEIGHT][WIDTH + 1] = buffers[threadIdx.y];
    const int lane = threadIdx.x;
    const int left = (blockIdx.x * WARPS + threadIdx.y) * WIDTH;
    const int first = blockIdx.y * TILES * HEIGHT;
    if (left >= n)
        return;

    start(mine[0], in, n, left + lane, first);
    for (int t = 0; t < TILES; t++) {
        const int top = first + t * HEIGHT;
        if (top >= n)
            break;
        if (t + 1 < TILES) {
            start(mine[(t + 1) % 2], in, n, left + lane, top + HEIGHT);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncwarp();

        const int x = lane % HEIGHT, y = lane / HEIGHT;
#pragma unroll
        for (int c = 0; c < WIDTH; c += 32 / HEIGHT)
            if (top + x < n && left + y + c < n)
                out[(size_t)(left + y + c) * n + top + x] = mine[t % 2][x][y + c];
        __syncwarp();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + WARPS * WIDTH - 1) / (WARPS * WIDTH),
              (n + TILES * HEIGHT - 1) / (TILES * HEIGHT));
    transpose_warp_pipelines<<<grid, dim3(32, WARPS)>>>(out, in, n);
}

STEP(16, OPTIMISE, "two tiles 32 x 16 a warp, cp.async", "a pipeline a warp, 32 x 4")
