// A patch of 2 x 2 a thread: four single loads, two stores of 8 bytes that are contiguous over a warp.
#include "step.h"

template <bool EVEN>
__global__ void transpose_two_by_two(float *out, const float *in, int n)
{
    int r = 2 * (blockIdx.x * blockDim.x + threadIdx.x); // of the input; a column of the output
    int c = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
    if (r >= n || c >= n)
        return;

    const float *upper = in + r * n + c, *lower = upper + n;
    float *first = out + c * n + r, *second = first + n;
    if (EVEN) {
        float a = upper[0], b = upper[1], d = lower[0], e = lower[1];
        *(float2 *)first = make_float2(a, d);
        *(float2 *)second = make_float2(b, e);
    } else {
        bool right = c + 1 < n, below = r + 1 < n;
        first[0] = upper[0];
        if (below)
            first[1] = lower[0];
        if (right)
            second[0] = upper[1];
        if (right && below)
            second[1] = lower[1];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 block(32, 8), grid((n + 63) / 64, (n + 15) / 16);
    if (n % 2 == 0)
        transpose_two_by_two<true><<<grid, block>>>(out, in, n);
    else
        transpose_two_by_two<false><<<grid, block>>>(out, in, n);
}

STEP(67, OPTIMISE, "2 x 2 a thread, 8-byte stores", "single loads, pairs out, strided loads")
