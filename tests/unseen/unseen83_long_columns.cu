// Blocks of one warp, 32 elements a thread: each loads down a column and writes a whole line of the output.
#include "step.h"

constexpr int kColumn = 32;

__global__ void __launch_bounds__(32, 16) transpose_long_columns(float *out, const float *in, int n)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int row = blockIdx.y * kColumn;
    if (col >= n)
        return;

    float v[kColumn];
#pragma unroll
    for (int i = 0; i < kColumn; ++i)
        v[i] = row + i < n ? in[(row + i) * n + col] : 0.0f;

    float *to = out + col * n + row;
    if (n % 4 == 0) {
#pragma unroll
        for (int i = 0; i < kColumn; i += 4)
            if (row + i < n)
                *reinterpret_cast<float4 *>(to + i) =
                    make_float4(v[i], v[i + 1], v[i + 2], v[i + 3]);
    } else {
#pragma unroll
        for (int i = 0; i < kColumn; ++i)
            if (row + i < n)
                to[i] = v[i];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + 31) / 32, (n + kColumn - 1) / kColumn);
    transpose_long_columns<<<grid, 32>>>(out, in, n);
}

STEP(83, OPTIMISE, "32 x 1 a thread, one warp", "32 loads in flight, 16-byte stores")
