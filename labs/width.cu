// Lab width: when does it pay to move 8 or 16 bytes an access?
#include "lab.h"

// Copies a WORD an access, and the elements behind the last whole one by themselves.
template <typename WORD>
__global__ void width(float *out, const float *in, size_t count)
{
    const size_t elements = sizeof(WORD) / sizeof(float), words = count / elements;
    size_t thread = this_thread();
    for (size_t i = thread; i < words; i += (size_t)gridDim.x * blockDim.x)
        ((WORD *)out)[i] = ((const WORD *)in)[i];
    if (thread < count % elements)
        out[words * elements + thread] = in[words * elements + thread];
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == 4   ? width<float>
                  : settings[0] == 8 ? width<float2>
                                     : width<float4>;
    spread all = spread_warps(settings[1]);
    kernel<<<all.grid, all.block>>>(out, in, n * n);
}

static const char *lacks(const int *settings)
{
    return lacks_warps(settings[1]);
}

LAB("when does it pay to move 8 or 16 bytes an access?", "inst_executed,global_load_requests",
    copy_on_cpu, bytes_of_copy, lacks, {"bytes", "bytes an access", "4 8 16"},
    {"warps", "warps on each SM", "4 8 16 32 64"})
