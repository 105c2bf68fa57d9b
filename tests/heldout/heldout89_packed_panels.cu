// As BLIS packs for a matrix product: a block has a panel of 12 rows, and walks along all of it, 192 columns at a time.
// A thread packs a column into the shared buffer, with zeros below the matrix; the block copies that out in order.
#include "step.h"

namespace
{

constexpr int MR = 12;        // rows of a panel
constexpr int KC = 192;       // columns of a chunk, and threads
constexpr int PITCH = MR + 1; // of a packed column

__global__ void transpose_packed_panels(float *__restrict__ out, const float *__restrict__ in,
                                        int n)
{
    __shared__ float packed[KC * PITCH];

    const int t = threadIdx.x;
    const int panel = blockIdx.x * MR;
    const int r = t % MR, first = t / MR;

    for (int k = 0; k < n; k += KC) {
        if (k + t < n) {
#pragma unroll
            for (int i = 0; i < MR; ++i)
                packed[t * PITCH + i] =
                    panel + i < n ? __ldcs(&in[(size_t)(panel + i) * n + k + t]) : 0.0f;
        }
        __syncthreads();
        if (panel + r < n)
            for (int c = first; c < KC && k + c < n; c += KC / MR)
                out[(size_t)(k + c) * n + panel + r] = packed[c * PITCH + r];
        __syncthreads();
    }
}

} // namespace

static void launch(float *out, const float *in, size_t n)
{
    transpose_packed_panels<<<(n + MR - 1) / MR, KC>>>(out, in, (int)n);
}

STEP(89, OPTIMISE, "packed panels of 12 rows, 192 x 1", "a block packs a panel, end to end")
