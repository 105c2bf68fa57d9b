// A padded tile of 128 x 8, a column a thread: single loads of four lines a row, stores of 8 bytes.
#include "step.h"

template <bool EVEN>
__global__ void transpose_flat_wide_tile(float *out, const float *in, size_t n)
{
    __shared__ float tile[8][129];
    size_t x0 = (size_t)blockIdx.x * 128, y0 = (size_t)blockIdx.y * 8;

    size_t x = x0 + threadIdx.x;
    if (x < n) {
#pragma unroll
        for (int r = 0; r < 8; r++)
            if (y0 + r < n)
                tile[r][threadIdx.x] = in[(y0 + r) * n + x];
    }
    __syncthreads();

    int r = threadIdx.x % 4 * 2;
    if (y0 + r >= n)
        return;
    for (int c = threadIdx.x / 4; c < 128 && x0 + c < n; c += 32) {
        size_t at = (x0 + c) * n + y0 + r;
        if (EVEN) {
            reinterpret_cast<float2 *>(out)[at / 2] = make_float2(tile[r][c], tile[r + 1][c]);
        } else {
            out[at] = tile[r][c];
            if (y0 + r + 1 < n)
                out[at + 1] = tile[r + 1][c];
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + 127) / 128, (n + 7) / 8);
    if (n % 2 == 0)
        transpose_flat_wide_tile<true><<<grid, 128>>>(out, in, n);
    else
        transpose_flat_wide_tile<false><<<grid, 128>>>(out, in, n);
}

STEP(84, OPTIMISE, "padded tile 128 x 8, 8-byte stores", "stores of a sector, by pairs")
