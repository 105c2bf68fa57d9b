// A tile of 256 across and 64 down, padded, in 64 KB of dynamic shared memory and a little more: a warp reads a row of
// 1 KB with eight loads, and writes two lines of 128 bytes for each column. 512 threads, down the columns of tiles.
#include "step.h"

constexpr int kCols = 256;
constexpr int kRows = 64;
constexpr int kPitch = kCols + 1;
constexpr int kWarps = 16;
constexpr int kSharedBytes = kRows * kPitch * sizeof(float);

extern __shared__ float smem[];

__global__ void __launch_bounds__(kWarps * 32)
    transpose_long_rows(float *__restrict__ dst, const float *__restrict__ src, int n)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int col0 = blockIdx.y * kCols, row0 = blockIdx.x * kRows;

    for (int r = warp; r < kRows && row0 + r < n; r += kWarps) {
        const float *row = src + (size_t)(row0 + r) * n + col0;
#pragma unroll
        for (int c = 0; c < kCols; c += 32)
            if (col0 + lane + c < n)
                smem[r * kPitch + lane + c] = row[lane + c];
    }
    __syncthreads();

#pragma unroll 4
    for (int c = warp; c < kCols; c += kWarps) {
        if (col0 + c >= n)
            break;
        float *row = dst + (size_t)(col0 + c) * n + row0;
#pragma unroll
        for (int r = 0; r < kRows; r += 32)
            if (row0 + lane + r < n)
                row[lane + r] = smem[(lane + r) * kPitch + c];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    cudaFuncSetAttribute(transpose_long_rows, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         kSharedBytes);
    dim3 grid((n + kRows - 1) / kRows, (n + kCols - 1) / kCols);
    transpose_long_rows<<<grid, kWarps * 32, kSharedBytes>>>(out, in, n);
}

STEP(21, OPTIMISE, "padded tile 256 x 64, 512 x 1", "1 KB rows in dynamic shared memory")
