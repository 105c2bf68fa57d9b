// Lab parting: may threads of a warp still take it that they go hand in hand?
#include "lab.h"

enum { THREADS = 128, ALL = 0xffffffff };

// The sum of each 32 elements' bits, by their warp: half of the lanes add what the other half has, then half of these,
// in shared memory. Before Volta the lanes of a warp did so in step.
template <bool MEET>
__global__ void through_shared(unsigned *out, const unsigned *in, size_t count)
{
    __shared__ unsigned sums[THREADS];
    size_t at = this_thread();
    unsigned lane = threadIdx.x % LANES;
    sums[threadIdx.x] = at < count ? in[at] : 0;
    if (MEET)
        __syncwarp();
    for (unsigned away = LANES / 2; away > 0; away /= 2) {
        if (lane < away)
            sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + away];
        if (MEET)
            __syncwarp();
    }
    if (lane == 0 && at < count)
        out[at / LANES] = sums[threadIdx.x];
}

// What shuffles do together no lane can miss.
__global__ void by_shuffles(unsigned *out, const unsigned *in, size_t count)
{
    size_t at = this_thread();
    unsigned sum = at < count ? in[at] : 0;
    for (unsigned away = LANES / 2; away > 0; away /= 2)
        sum += __shfl_down_sync(ALL, sum, away);
    if (threadIdx.x % LANES == 0 && at < count)
        out[at / LANES] = sum;
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == 0   ? through_shared<false>
                  : settings[0] == 1 ? through_shared<true>
                                     : by_shuffles;
    kernel<<<(n * n + THREADS - 1) / THREADS, THREADS>>>((unsigned *)out, (const unsigned *)in,
                                                         n * n);
}

static void compute(float *out, const float *in, size_t n)
{
    for (size_t first = 0; first < n * n; first += LANES) {
        unsigned sum = 0, bits;
        for (size_t i = first; i < n * n && i < first + LANES; i++) {
            memcpy(&bits, &in[i], sizeof bits);
            sum += bits;
        }
        memcpy(&out[first / LANES], &sum, sizeof sum);
    }
}

static double useful_bytes(size_t n)
{
    return ((double)n * n + (double)((n * n + LANES - 1) / LANES)) * sizeof(float);
}

LAB("may the threads of a warp still take it that they go hand in hand?",
    "inst_executed,shared_wavefronts", compute, useful_bytes, NULL,
    {"meet", "what keeps a warp's threads together", "luck syncwarp shuffles"})
