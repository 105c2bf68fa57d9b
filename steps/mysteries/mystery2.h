// What mystery 2 computes, on the CPU: a polynomial of each element's bits x, modulo 2^32:
// 1 + 3 x + 5 x^2 + ... + 17 x^8. In any order, sums and products come to the same bits.
#include "step.h"

#include <string.h>

enum { DEGREE = 8 };

static void compute(float *out, const float *in, size_t n)
{
    for (size_t i = 0; i < n * n; i++) {
        unsigned x, sum = 0, power = 1;
        memcpy(&x, &in[i], sizeof x);
        for (unsigned k = 0; k <= DEGREE; k++, power *= x)
            sum += (2 * k + 1) * power;
        memcpy(&out[i], &sum, sizeof sum);
    }
}

static double useful_bytes(size_t n)
{
    return 2.0 * (double)n * (double)n * sizeof(float);
}
