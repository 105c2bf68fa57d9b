// A thread a quad of the output, in one flat index space by blocks of 512: a division tells the row, four loads through
// the read-only cache gather a piece of a column, and one store of 16 bytes writes it.
#include "step.h"

template <typename Index>
__global__ void transpose_flat_quads(float *__restrict__ out, const float *__restrict__ in,
                                     size_t n, Index quads_a_row)
{
    Index quad = (Index)blockIdx.x * blockDim.x + threadIdx.x;
    size_t row = quad / quads_a_row;
    size_t col = (size_t)(quad % quads_a_row) * 4;
    if (row >= n)
        return;

    const float *from = in + col * n + row;
    float *to = out + row * n + col;
    if (n % 4 == 0) {
        float4 v;
        v.x = __ldg(from);
        v.y = __ldg(from + n);
        v.z = __ldg(from + 2 * n);
        v.w = __ldg(from + 3 * n);
        *reinterpret_cast<float4 *>(to) = v;
    } else {
        for (size_t k = 0; k < 4 && col + k < n; k++)
            to[k] = __ldg(from + k * n);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    const unsigned threads = 512;
    size_t quads_a_row = (n + 3) / 4, quads = n * quads_a_row;
    unsigned blocks = (quads + threads - 1) / threads;
    if (quads < 1u << 31) // 32-bit divisions do
        transpose_flat_quads<unsigned><<<blocks, threads>>>(out, in, n, quads_a_row);
    else
        transpose_flat_quads<size_t><<<blocks, threads>>>(out, in, n, quads_a_row);
}

STEP(59, PARALLELISE, "output quad a thread, 512 x 1", "four gathered loads, a 16-byte store")
