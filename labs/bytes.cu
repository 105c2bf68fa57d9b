// Lab bytes: how many bytes must be on their way to keep DRAM busy?
#include "lab.h"

template <int LOADS>
__global__ void bytes_in_flight(float *out, const float *in, size_t count)
{
    size_t stride = (size_t)gridDim.x * blockDim.x * LOADS;
    for (size_t at = first_element(this_thread(), LOADS); at < count; at += stride)
        copy_elements<LOADS>(out, in, at, count);
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == 1   ? bytes_in_flight<1>
                  : settings[0] == 2 ? bytes_in_flight<2>
                  : settings[0] == 4 ? bytes_in_flight<4>
                  : settings[0] == 8 ? bytes_in_flight<8>
                                     : bytes_in_flight<16>;
    spread all = spread_warps(settings[1]);
    kernel<<<all.grid, all.block>>>(out, in, n * n);
}

static const char *lacks(const int *settings)
{
    return lacks_warps(settings[1]);
}

LAB("how many bytes must be on their way to keep DRAM busy?", "registers,achieved_occupancy",
    copy_on_cpu, bytes_of_copy, lacks, {"loads", "loads in flight a thread", "1 2 4 8 16"},
    {"warps", "warps on each SM", "1 2 4 8 16 32 64"})
