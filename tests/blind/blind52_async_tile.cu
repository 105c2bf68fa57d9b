// The padded tile, filled by asynchronous copies of 4 bytes that go past the registers, 32 x 16 threads.
#include "../kernels/launch.h"

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#error cp.async needs compute capability 8.0
#endif

enum { SIDE = 32, STEP_ROWS = 16 };

static __device__ void copy_async(float *to, const float *from)
{
    asm volatile("{ .reg .u64 to; cvta.to.shared.u64 to, %0;\n"
                 "cp.async.ca.shared.global [to], [%1], 4; }" ::"l"(to),
                 "l"(from)
                 : "memory");
}

__global__ void transpose_async_tile(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            copy_async(&tile[threadIdx.y + k][threadIdx.x], &in[(size_t)(y + k) * n + x]);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    x = blockIdx.y * SIDE + threadIdx.x;
    y = blockIdx.x * SIDE + threadIdx.y;
    for (int k = 0; k < SIDE; k += STEP_ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

LAUNCH_2D(transpose_async_tile, SIDE, SIDE, SIDE, STEP_ROWS)
STEP(52, OPTIMISE, "padded tile by cp.async, 4 bytes", "copies past the registers")
