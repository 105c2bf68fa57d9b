// Lab work: can one thread do the work of eight?
#include "lab.h"

// An eighth of the elements, each mixed in rounds that wait for each other: the time is the arithmetic's.
enum { ROUNDS = 64, SHARE = 8 };

__host__ __device__ static inline unsigned mix(unsigned x)
{
    return (x ^ x >> 15) * 0x2c1b3c6d;
}

// VALUES elements a thread, which do not wait for each other.
template <int VALUES>
__global__ void work(unsigned *out, const unsigned *in, size_t count)
{
    size_t stride = (size_t)gridDim.x * blockDim.x * VALUES;
    for (size_t at = first_element(this_thread(), VALUES); at < count; at += stride) {
        unsigned value[VALUES];
#pragma unroll
        for (int k = 0; k < VALUES; k++)
            value[k] = at + k * LANES < count ? in[at + k * LANES] : 0;
        for (int round = 0; round < ROUNDS; round++)
#pragma unroll
            for (int k = 0; k < VALUES; k++)
                value[k] = mix(value[k]);
#pragma unroll
        for (int k = 0; k < VALUES; k++)
            if (at + k * LANES < count)
                out[at + k * LANES] = value[k];
    }
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == 1   ? work<1>
                  : settings[0] == 2 ? work<2>
                  : settings[0] == 4 ? work<4>
                                     : work<8>;
    spread all = spread_warps(settings[1]);
    kernel<<<all.grid, all.block>>>((unsigned *)out, (const unsigned *)in, n * n / SHARE);
}

static void compute(float *out, const float *in, size_t n)
{
    for (size_t i = 0; i < n * n / SHARE; i++) {
        unsigned x;
        memcpy(&x, &in[i], sizeof x);
        for (int round = 0; round < ROUNDS; round++)
            x = mix(x);
        memcpy(&out[i], &x, sizeof x);
    }
}

// A matrix smaller than a share is left alone, and a rate needs a byte.
static double useful_bytes(size_t n)
{
    return n * n < SHARE ? 1 : 2.0 * (double)(n * n / SHARE) * sizeof(float);
}

static const char *lacks(const int *settings)
{
    return lacks_warps(settings[1]);
}

LAB("can one thread do the work of eight?", "inst_executed,achieved_occupancy", compute,
    useful_bytes, lacks, {"values", "values a thread", "1 2 4 8"},
    {"warps", "warps on each SM", "4 8 16 32"})
