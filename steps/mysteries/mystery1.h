// What mystery 1 computes, on the CPU: each column is cut into pieces of 8 elements from the top, the last perhaps
// shorter; each element has a
// digit, 0 to 15, that depends on all of its bits; of each piece, the most frequent digit, the least of those that are
// as frequent. The first rows of `out`, a row for the pieces that lie beside each other, get it as integers.
#include "step.h"

#include <string.h>

enum { PIECE = 8, DIGITS = 16 };

__host__ __device__ static inline unsigned digit_of(unsigned bits)
{
    return bits * 0x85ebca6b >> 28;
}

static void compute(float *out, const float *in, size_t n)
{
    for (size_t top = 0; top < n; top += PIECE)
        for (size_t col = 0; col < n; col++) {
            unsigned counts[DIGITS] = {0}, most = 0;
            for (size_t row = top; row < n && row < top + PIECE; row++) {
                unsigned bits;
                memcpy(&bits, &in[row * n + col], sizeof bits);
                counts[digit_of(bits)]++;
            }
            for (unsigned digit = 1; digit < DIGITS; digit++)
                most = counts[digit] > counts[most] ? digit : most;
            memcpy(&out[top / PIECE * n + col], &most, sizeof most);
        }
}

static double useful_bytes(size_t n)
{
    double pieces = (double)((n + PIECE - 1) / PIECE);
    return ((double)n + pieces) * (double)n * sizeof(float);
}
