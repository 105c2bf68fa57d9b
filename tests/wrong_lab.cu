// A lab that is wrong at one of its points: two elements a thread leave out the last of an odd number.
#include "../labs/lab.h"

template <int EACH>
__global__ void no_tail(float *out, const float *in, size_t count)
{
    size_t first = this_thread() * EACH;
    for (int k = 0; k < EACH && first + EACH <= count; k++)
        out[first + k] = in[first + k];
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    unsigned blocks = (unsigned)((n * n / settings[0] + 255) / 256);
    (settings[0] == 1 ? no_tail<1> : no_tail<2>)<<<blocks, 256>>>(out, in, n * n);
}

LAB("is what is wrong found?", "registers", copy_on_cpu, bytes_of_copy, NULL,
    {"each", "elements a thread", "1 2"})
