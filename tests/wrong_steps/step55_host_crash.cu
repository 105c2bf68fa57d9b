// Planted bug: launch() writes to the device's address on the host.
#include "step.h"

static void launch(float *out, const float *in, size_t n)
{
    (void)in;
    volatile float *on_host = out;
    on_host[n - 1] = 0;
}

STEP(55, OPTIMISE, "crash on the host", "a planted bug")
