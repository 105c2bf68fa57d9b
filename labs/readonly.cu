// Lab readonly: what is left of the read-only path since its cache is the L1?
#include "lab.h"

enum { EACH = 8 };

// A warp's elements, one after the other: the compiler may load ahead where it knows that no store changes what it
// loads. __ldg() promises that of a load, const __restrict__ of a pointer.
#define COPY(load)                                                                                 \
    size_t stride = (size_t)gridDim.x * blockDim.x * EACH;                                         \
    for (size_t at = first_element(this_thread(), EACH); at < count; at += stride) {               \
        if (at + (EACH - 1) * LANES >= count) {                                                    \
            for (size_t i = at; i < count; i += LANES)                                             \
                out[i] = in[i];                                                                    \
            break;                                                                                 \
        }                                                                                          \
        _Pragma("unroll") for (int k = 0; k < EACH; k++) out[at + k * LANES] =                     \
            load(in + at + k * LANES);                                                             \
    }

__device__ inline float plainly(const float *from)
{
    return *from;
}

__global__ void plain(float *out, const float *in, size_t count){COPY(plainly)}

__global__ void restricted(float *__restrict__ out, const float *__restrict__ in,
                           size_t count){COPY(plainly)}

__global__ void by_ldg(float *out, const float *in, size_t count)
{
    COPY(__ldg)
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == 0 ? plain : settings[0] == 1 ? restricted : by_ldg;
    spread all = spread_warps(settings[1]);
    kernel<<<all.grid, all.block>>>(out, in, n * n);
}

static const char *lacks(const int *settings)
{
    return lacks_warps(settings[1]);
}

LAB("what is left of the read-only path since its cache is the L1?",
    "registers,global_load_requests", copy_on_cpu, bytes_of_copy, lacks,
    {"path", "how an element is loaded", "plain restrict ldg"},
    {"warps", "warps on each SM", "4 8 16 32 64"})
