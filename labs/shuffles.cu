// Lab shuffles: what do shuffles save where threads exchange values through shared memory?
#include "lab.h"

// Running sums of each 256 elements' bits, modulo 2^32: exact in any order.
enum { PIECE = 256, ALL = 0xffffffff };

__device__ inline unsigned load_or_0(const unsigned *in, size_t at, size_t count)
{
    return at < count ? in[at] : 0;
}

// Through shared memory: each thread adds what stands 1, 2, 4, ... to its left.
__global__ void by_shared(unsigned *out, const unsigned *in, size_t count)
{
    __shared__ unsigned sums[PIECE];
    size_t at = this_thread();
    unsigned sum = load_or_0(in, at, count);
    for (unsigned away = 1; away < PIECE; away *= 2) {
        sums[threadIdx.x] = sum;
        __syncthreads();
        sum += threadIdx.x >= away ? sums[threadIdx.x - away] : 0;
        __syncthreads();
    }
    if (at < count)
        out[at] = sum;
}

// The same within a warp, from register to register.
__device__ inline unsigned sum_in_warp(unsigned sum)
{
    for (unsigned away = 1; away < LANES; away *= 2) {
        unsigned left = __shfl_up_sync(ALL, sum, away);
        sum += threadIdx.x % LANES >= away ? left : 0;
    }
    return sum;
}

// A warp has the whole piece, and hands on the sum of each 32 to the next.
__global__ void by_shuffles(unsigned *out, const unsigned *in, size_t count)
{
    const int rounds = PIECE / LANES;
    size_t at = first_element(this_thread(), rounds);
    unsigned value[rounds], before = 0;
#pragma unroll
    for (int k = 0; k < rounds; k++)
        value[k] = load_or_0(in, at + k * LANES, count);
#pragma unroll
    for (int k = 0; k < rounds; k++) {
        unsigned sum = before + sum_in_warp(value[k]);
        if (at + k * LANES < count)
            out[at + k * LANES] = sum;
        before = __shfl_sync(ALL, sum, LANES - 1);
    }
}

// Shuffles within a warp, and shared memory for the sums of the warps.
__global__ void by_both(unsigned *out, const unsigned *in, size_t count)
{
    __shared__ unsigned sums[PIECE / LANES];
    size_t at = this_thread();
    unsigned warp = threadIdx.x / LANES, sum = sum_in_warp(load_or_0(in, at, count));
    if (threadIdx.x % LANES == LANES - 1)
        sums[warp] = sum;
    __syncthreads();
    for (unsigned before = 0; before < warp; before++)
        sum += sums[before];
    if (at < count)
        out[at] = sum;
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == 0 ? by_shared : settings[0] == 1 ? by_shuffles : by_both;
    size_t a_block = settings[0] == 1 ? PIECE * PIECE / LANES : PIECE;
    kernel<<<(n * n + a_block - 1) / a_block, PIECE>>>((unsigned *)out, (const unsigned *)in,
                                                       n * n);
}

static void compute(float *out, const float *in, size_t n)
{
    unsigned sum = 0, bits;
    for (size_t i = 0; i < n * n; i++) {
        memcpy(&bits, &in[i], sizeof bits);
        sum = i % PIECE == 0 ? bits : sum + bits;
        memcpy(&out[i], &sum, sizeof sum);
    }
}

LAB("what do shuffles save where threads exchange values through shared memory?",
    "inst_executed,shared_requests,shared_wavefronts", compute, bytes_of_copy, NULL,
    {"way", "how a sum gets to another thread", "shared shuffles both"})
