// A framework's copy of a strided tensor of any rank, here of a transposed view: four elements a thread, 128 apart, and
// their offsets by division, which is multiplication by a reciprocal that the host worked out.
#include "step.h"

enum { THREADS = 128, EACH = 4 };

struct Divider {
    unsigned divisor, factor, shift;
};

template <int DIMENSIONS>
struct View {
    Divider sizes[DIMENSIONS]; // the one that varies fastest comes first
    unsigned strides[DIMENSIONS];
};

static Divider divider(unsigned divisor)
{
    unsigned shift = 0;
    while ((1ull << shift) < divisor)
        shift++;
    unsigned long long factor = ((1ull << 32) * ((1ull << shift) - divisor)) / divisor + 1;
    return Divider{divisor, (unsigned)factor, shift};
}

template <int DIMENSIONS>
__device__ static unsigned offset_of(const View<DIMENSIONS> &view, unsigned index)
{
    unsigned offset = 0;
#pragma unroll
    for (int d = 0; d < DIMENSIONS; d++) {
        Divider size = view.sizes[d];
        unsigned high = (unsigned)((unsigned long long)index * size.factor >> 32);
        unsigned quotient = (high + index) >> size.shift;
        offset += (index - quotient * size.divisor) * view.strides[d];
        index = quotient;
    }
    return offset;
}

template <int DIMENSIONS>
__global__ void __launch_bounds__(THREADS)
    transpose_strided_copy(float *out, const float *in, View<DIMENSIONS> view, unsigned count)
{
    unsigned first = blockIdx.x * THREADS * EACH + threadIdx.x;
    float values[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        unsigned index = first + i * THREADS;
        if (index < count)
            values[i] = in[offset_of(view, index)];
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        unsigned index = first + i * THREADS;
        if (index < count)
            out[index] = values[i];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    View<2> view;
    view.sizes[0] = view.sizes[1] = divider(n);
    view.strides[0] = n;
    view.strides[1] = 1;
    size_t count = n * n;
    transpose_strided_copy<<<(count + THREADS * EACH - 1) / (THREADS * EACH), THREADS>>>(
        out, in, view, count);
}

STEP(92, PARALLELISE, "copy of a strided view, 128 x 1", "offsets of any rank by magic division")
