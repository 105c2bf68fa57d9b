// Each of 96 threads walks down a column through four tiles of 96 x 32, and keeps it as a row of a tile that is turned
// already; then the three warps write rows of it, a line each.
#include "step.h"

namespace
{

constexpr int kWidth = 96;
constexpr int kHeight = 32;
constexpr int kTiles = 4;
constexpr int kWarps = kWidth / 32;

__global__ void __launch_bounds__(kWidth)
    transpose_column_strips(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float turned[kWidth][kHeight + 1];

    const int left = blockIdx.x * kWidth;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int columns = min(kWidth, n - left);

    for (int t = 0; t < kTiles; ++t) {
        const int top = (blockIdx.y * kTiles + t) * kHeight;
        if (top >= n)
            break;
        const int rows = min(kHeight, n - top);

        if (static_cast<int>(threadIdx.x) < columns) {
            const float *from = in + static_cast<size_t>(top) * n + left + threadIdx.x;
#pragma unroll 16
            for (int r = 0; r < kHeight; ++r, from += n)
                if (r < rows)
                    turned[threadIdx.x][r] = *from;
        }
        __syncthreads();

        if (lane < rows) {
            float *to = out + static_cast<size_t>(left + warp) * n + top + lane;
#pragma unroll 4
            for (int c = warp; c < columns; c += kWarps, to += kWarps * static_cast<size_t>(n))
                *to = turned[c][lane];
        }
        __syncthreads();
    }
}

} // namespace

static void launch(float *out, const float *in, size_t n)
{
    constexpr int kRows = kTiles * kHeight;
    dim3 grid((n + kWidth - 1) / kWidth, (n + kRows - 1) / kRows);
    transpose_column_strips<<<grid, kWidth>>>(out, in, static_cast<int>(n));
}

STEP(27, OPTIMISE, "four tiles 96 x 32 down, 96 x 1", "a column a thread, three warps")
