// A copy whose reference on the CPU does not come to an end.
#include "copy.h"

static void compute(float *out, const float *in, size_t n)
{
    for (volatile size_t i = 0; n > 0; i = i + 1)
        out[i % n] = in[i % n];
}

MYSTERY(15, compute, copied_bytes)
