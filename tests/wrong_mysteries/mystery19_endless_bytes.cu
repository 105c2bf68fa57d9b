// A copy whose bytes are no number.
#include "copy.h"

#include <math.h>

static double useful_bytes(size_t n)
{
    return HUGE_VAL * n;
}

MYSTERY(19, copy_on_cpu, useful_bytes)
