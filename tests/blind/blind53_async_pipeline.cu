// Two tiles of 64 x 64: while a block stores the one, asynchronous copies of 16 bytes fill the other.
#include "step.h"

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#error cp.async needs compute capability 8.0
#endif

enum { SIDE = 64, QUADS = SIDE / 4, BLOCKS = 528 };

static __device__ void copy_16_async(float *to, const float *from)
{
    asm volatile("{ .reg .u64 to; cvta.to.shared.u64 to, %0;\n"
                 "cp.async.cg.shared.global [to], [%1], 16; }" ::"l"(to),
                 "l"(from)
                 : "memory");
}

// Starts the copies of a tile: nothing of one that is beyond the last.
static __device__ void fetch(float (*tile)[SIDE + 4], const float *in, int n, int left, int top)
{
    int column = threadIdx.x * 4, x = left + column;
    for (int row = threadIdx.y; row < SIDE && top + row < n; row += QUADS) {
        const float *from = in + (size_t)(top + row) * n + x;
        if (n % 4 == 0 && x < n)
            copy_16_async(&tile[row][column], from);
        else
            for (int i = 0; i < 4 && x + i < n; i++)
                tile[row][column + i] = from[i];
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

__global__ void transpose_async_pipeline(float *out, const float *in, int n)
{
    __shared__ __align__(16) float tiles[2][SIDE][SIDE + 4];
    int across = (n + SIDE - 1) / SIDE, t = blockIdx.x;
    fetch(tiles[0], in, n, t % across * SIDE, t / across * SIDE);
    for (int now = 0; t < across * across; t += gridDim.x, now ^= 1) {
        int next = t + gridDim.x;
        fetch(tiles[now ^ 1], in, n, next % across * SIDE, next / across * SIDE);
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        int thread = threadIdx.y * QUADS + threadIdx.x, column = thread % SIDE;
        int x = t / across * SIDE + column, y = t % across * SIDE;
        for (int row = thread / SIDE; row < SIDE; row += 4)
            if (x < n && y + row < n)
                out[(size_t)(y + row) * n + x] = tiles[now][column][row];
        __syncthreads();
    }
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_async_pipeline<<<BLOCKS, dim3(QUADS, QUADS)>>>(out, in, n);
}

STEP(53, OPTIMISE, "two tiles by cp.async, 16 bytes", "a pipeline in shared memory")
