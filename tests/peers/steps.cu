// The steps as a library, for tests/peers/compare.py: launched by their numbers on the default stream.
#include "step.h"

enum { MOST = 64 };
static const struct step *steps[MOST];

void step_register(const struct step *step)
{
    if (step->number < MOST)
        steps[step->number] = step;
}

// Returns the runtime's error; -1 where there is no such step.
extern "C" int step_launch_numbered(int number, float *out, const float *in, size_t n)
{
    if (number < 0 || number >= MOST || !steps[number])
        return -1;
    steps[number]->launch(out, in, n);
    return cudaGetLastError();
}
