// As a tensor library copies any strided view: a flat index into the output, from which a division by multiplication
// finds where the element lies in the input. A thread copies four elements, a block's width apart.
#include "step.h"

enum { THREADS = 128, EACH = 4 };

// What divides numbers below 2^31 with a multiplication and a shift.
struct divider {
    unsigned by, magic, shift;
};

static struct divider divider_of(unsigned by)
{
    unsigned shift = 0;
    while (shift < 32 && (1ull << shift) < by)
        shift++;
    unsigned magic = (unsigned)((1ull << 32) * ((1ull << shift) - by) / by + 1);
    return {by, magic, shift};
}

static __device__ unsigned quotient(unsigned of, struct divider d)
{
    unsigned high = (unsigned)((unsigned long long)of * d.magic >> 32);
    return (high + of) >> d.shift;
}

__global__ void __launch_bounds__(THREADS)
    copy_strided(float *out, const float *in, unsigned count, struct divider width,
                 unsigned row_stride, unsigned column_stride)
{
    unsigned at = blockIdx.x * THREADS * EACH + threadIdx.x;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (at < count) {
            unsigned row = quotient(at, width), column = at - row * width.by;
            out[at] = in[row * row_stride + column * column_stride];
            at += THREADS;
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned count = n * n, blocks = (count + THREADS * EACH - 1) / (THREADS * EACH);
    copy_strided<<<blocks, THREADS>>>(out, in, count, divider_of(n), 1, n);
}

STEP(31, OPTIMISE, "strided copy, 4 elements, 128 x 1", "offsets from a flat index")
