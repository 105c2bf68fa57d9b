// Lab parting: may threads of a warp still take it that they go hand in hand?
#include "lab.h"

// Cooperative groups come with the toolkit alone.
#ifdef __NVCC__
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#endif

enum { THREADS = 128, ALL = 0xffffffff };
enum meet { LUCK, SYNCWARP, SHUFFLES, TILESYNC, TILESHFL, ACTIVE };

template <meet HOW>
__device__ inline void wait_for_warp()
{
    if (HOW == SYNCWARP)
        __syncwarp();
#ifdef __NVCC__
    if (HOW == TILESYNC)
        cg::tiled_partition<LANES>(cg::this_thread_block()).sync();
#endif
}

// The sum of each 32 elements' bits, by their warp: half of the lanes add what the other half has, then half of these,
// in shared memory. Before Volta the lanes of a warp did so in step.
template <meet HOW>
__global__ void through_shared(unsigned *out, const unsigned *in, size_t count)
{
    __shared__ unsigned sums[THREADS];
    size_t at = this_thread();
    unsigned lane = threadIdx.x % LANES;
    sums[threadIdx.x] = at < count ? in[at] : 0;
    wait_for_warp<HOW>();
    for (unsigned away = LANES / 2; away > 0; away /= 2) {
        if (lane < away)
            sums[threadIdx.x] = sums[threadIdx.x] + sums[threadIdx.x + away];
        wait_for_warp<HOW>();
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

#ifdef __NVCC__
__global__ void by_tile(unsigned *out, const unsigned *in, size_t count)
{
    auto warp = cg::tiled_partition<LANES>(cg::this_thread_block());
    size_t at = this_thread();
    unsigned sum = at < count ? in[at] : 0;
    for (unsigned away = LANES / 2; away > 0; away /= 2)
        sum += warp.shfl_down(sum, away);
    if (warp.thread_rank() == 0 && at < count)
        out[at / LANES] = sum;
}

// Those that have an element, and know of each other only when they run.
__global__ void by_active(unsigned *out, const unsigned *in, size_t count)
{
    size_t at = this_thread();
    if (at >= count)
        return;
    auto active = cg::coalesced_threads();
    unsigned sum = in[at];
    for (unsigned away = LANES / 2; away > 0; away /= 2) {
        unsigned other = active.shfl_down(sum, away);
        if (active.thread_rank() + away < active.size())
            sum += other;
    }
    if (active.thread_rank() == 0)
        out[at / LANES] = sum;
}
#else
constexpr auto by_tile = by_shuffles, by_active = by_shuffles; // left out below
#endif

static const char *lacks(const int *settings)
{
#ifndef __NVCC__
    if (settings[0] >= TILESYNC)
        return "compiled by clang alone: cooperative groups come with the CUDA toolkit";
#endif
    (void)settings;
    return NULL;
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    auto kernel = settings[0] == LUCK       ? through_shared<LUCK>
                  : settings[0] == SYNCWARP ? through_shared<SYNCWARP>
                  : settings[0] == SHUFFLES ? by_shuffles
                  : settings[0] == TILESYNC ? through_shared<TILESYNC>
                  : settings[0] == TILESHFL ? by_tile
                                            : by_active;
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
    "inst_executed,shared_wavefronts", compute, useful_bytes, lacks,
    {"meet", "what keeps a warp's threads together",
     "luck syncwarp shuffles tilesync tileshfl active"})
