// A patch of 8 x 8 a thread in registers: loads of 8 bytes, stores of 16, and size_t indices.
#include "step.h"

template <bool WIDE>
__global__ void transpose_eight_by_eight(float *out, const float *in, size_t n)
{
    size_t col = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) * 8;
    size_t row = (blockIdx.y * (size_t)blockDim.y + threadIdx.y) * 8;

    if (!WIDE) { // any n: an element at a time
        for (size_t r = row; r < row + 8 && r < n; ++r)
            for (size_t c = col; c < col + 8 && c < n; ++c)
                out[c * n + r] = in[r * n + c];
        return;
    }
    if (row >= n || col >= n)
        return;

    float patch[8][8];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
#pragma unroll
        for (int c = 0; c < 8; c += 2) {
            float2 pair = *(const float2 *)&in[(row + r) * n + col + c];
            patch[r][c] = pair.x;
            patch[r][c + 1] = pair.y;
        }
    }
    float4 *to = (float4 *)out + (col * n + row) / 4;
#pragma unroll
    for (int c = 0; c < 8; ++c, to += n / 4) {
        to[0] = make_float4(patch[0][c], patch[1][c], patch[2][c], patch[3][c]);
        to[1] = make_float4(patch[4][c], patch[5][c], patch[6][c], patch[7][c]);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 block(8, 16), grid((n + 63) / 64, (n + 127) / 128);
    if (n % 8 == 0)
        transpose_eight_by_eight<true><<<grid, block>>>(out, in, n);
    else
        transpose_eight_by_eight<false><<<grid, block>>>(out, in, n);
}

STEP(66, OPTIMISE, "8 x 8 a thread, 8 in, 16 out", "64 registers for data, 8 x 16 threads")
