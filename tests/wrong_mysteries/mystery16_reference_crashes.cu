// A copy whose reference on the CPU reads from where no memory is.
#include "copy.h"

#include <string.h>

static void compute(float *out, const float *in, size_t n)
{
    memcpy(out, (const float *)8, n * n * sizeof *in);
}

MYSTERY(16, compute, copied_bytes)
