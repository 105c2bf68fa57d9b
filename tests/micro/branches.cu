// What a branch costs the warp that comes to it, beside the instructions around it: back to the beginning of a loop, over
// some instructions or into them, where all threads go the same way, and where the compiler cannot know that they do.
#include "micro.h"

enum { CHAIN = 16, SEGMENTS = 4, FEW = 2, MANY = 6, ROUNDS = 64 };

// Instructions that wait for each other.
__device__ __forceinline__ float chain(float x, float by)
{
#pragma unroll
    for (int i = 0; i < CHAIN; i++)
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(by));
    return x;
}

// How threads come to a segment's instructions.
enum way { STRAIGHT, TOGETHER, EACH };

// Segments of such instructions in a loop; those of which `bits` has the bit, unless they stand there without a branch.
template <int way, int count>
__global__ void segments(long long *cycles, float *out, unsigned bits, float by)
{
    float x = by;
    unsigned mine =
        way == EACH ? bits + (threadIdx.x > WARP) : bits; // of all threads the same, in fact
    long long start = 0;
    for (int warm = 0; warm < 2; warm++) {
        start = clock64();
#pragma unroll 1
        for (int round = 0; round < ROUNDS; round++)
#pragma unroll
            for (int s = 0; s < count; s++)
                if (way == STRAIGHT || mine >> s & 1)
                    x = chain(x, by);
    }
    *cycles = clock64() - start;
    if (x == 0.5f)
        *out = x;
}

// Rounds of a loop with one segment, or of as many without one.
template <bool loops>
__global__ void rounds(long long *cycles, float *out, float by)
{
    float x = by;
    long long start = 0;
    for (int warm = 0; warm < 2; warm++) {
        start = clock64();
#pragma unroll loops ? 1 : SEGMENTS
        for (int round = 0; round < ROUNDS; round++)
            x = chain(x, by);
    }
    *cycles = clock64() - start;
    if (x == 0.5f)
        *out = x;
}

// Of one more segment in the loop, without what its rounds cost beside them.
template <int way>
static double segment_cycles(float *out, unsigned bits)
{
    auto few = [=](long long *cycles) { segments<way, FEW><<<1, WARP>>>(cycles, out, bits, 1); };
    auto many = [=](long long *cycles) { segments<way, MANY><<<1, WARP>>>(cycles, out, bits, 1); };
    return (count_cycles(many) - count_cycles(few)) / (ROUNDS * (MANY - FEW));
}

template <bool loops>
static double round_cycles(float *out)
{
    return count_cycles([=](long long *cycles) { rounds<loops><<<1, WARP>>>(cycles, out, 1); }) /
           ROUNDS;
}

int main(void)
{
    wake_up();
    float *out;
    CHECK(cudaMalloc(&out, sizeof *out));
    const unsigned all = ~0u, none = 0;
    report((round_cycles<true>(out) - round_cycles<false>(out)) * SEGMENTS / (SEGMENTS - 1),
           "cycles", "branch_back");
    report(segment_cycles<STRAIGHT>(out, all), "cycles", "branch_straight");
    report(segment_cycles<TOGETHER>(out, all), "cycles", "branch_not_taken");
    report(segment_cycles<TOGETHER>(out, none), "cycles", "branch_taken");
    report(segment_cycles<EACH>(out, all), "cycles", "branch_parting_not_taken");
    report(segment_cycles<EACH>(out, none), "cycles", "branch_parting_taken");
    CHECK(cudaFree(out));
    return 0;
}
