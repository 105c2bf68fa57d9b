// Without shared memory: each thread walks along 32 elements of a row of its own, four at a time, and its neighbours
// along the rows below, so that what a warp writes is a run of a row of the output.
#include "step.h"

enum { THREADS = 128, LINE = 32 };

template <bool ALIGNED>
__global__ void transpose_line_per_lane(float *__restrict__ out, const float *__restrict__ in,
                                        int n)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    const int first = blockIdx.y * LINE, end = min(first + LINE, n);
    if (row >= n)
        return;

    const float *from = in + (size_t)row * n;
    float *to = out + (size_t)first * n + row;
    int x = first;
    if (ALIGNED) {
#pragma unroll 2
        for (; x < end; x += 4, to += 4 * n) {
            float4 v = *(const float4 *)(from + x);
            to[0] = v.x;
            to[n] = v.y;
            to[2 * n] = v.z;
            to[3 * n] = v.w;
        }
    } else {
        for (; x < end; x++, to += n)
            *to = from[x];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + THREADS - 1) / THREADS, (n + LINE - 1) / LINE);
    if (n % 4 == 0)
        transpose_line_per_lane<true><<<grid, THREADS>>>(out, in, n);
    else
        transpose_line_per_lane<false><<<grid, THREADS>>>(out, in, n);
}

STEP(33, OPTIMISE, "a row's 32 elements a lane, 128 x 1", "quads in along rows, words out across")
