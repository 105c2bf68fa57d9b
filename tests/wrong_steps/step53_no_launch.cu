// Planted bug: launch() launches nothing.
#include "step.h"

static void launch(float *out, const float *in, size_t n)
{
    (void)out;
    (void)in;
    (void)n;
}

STEP(53, OPTIMISE, "no launch", "a planted bug")
