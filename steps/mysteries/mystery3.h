// What mystery 3 computes, on the CPU: how many elements fall into each of 64 bins. The first 64 words of
// `out` get the counts, as integers, or as many of them as a small matrix has room for; the others stay as they are.
#include "step.h"

#include <string.h>

enum { BINS = 64 };

// An element with these bits falls into it.
__host__ __device__ static inline unsigned bin_of(unsigned bits)
{
    return bits * 0x85ebca6b >> 26;
}

static size_t bins_of(size_t n)
{
    return n * n < BINS ? n * n : (size_t)BINS;
}

static void compute(float *out, const float *in, size_t n)
{
    unsigned counts[BINS] = {0};
    for (size_t i = 0; i < n * n; i++) {
        unsigned bits;
        memcpy(&bits, &in[i], sizeof bits);
        counts[bin_of(bits)]++;
    }
    memcpy(out, counts, bins_of(n) * sizeof *counts);
}

static double useful_bytes(size_t n)
{
    return (double)n * (double)n * sizeof(float) + (double)bins_of(n) * sizeof(unsigned);
}
