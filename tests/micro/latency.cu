// Latency: how long a thread waits for one result, when next to nothing else is under way. Some SMs
// are nearer to the L2 than others: what lies there is measured by a thread on each, at once.
#include "micro.h"

enum { STEPS = 1 << 14 };

// Links `count` places, `stride` bytes apart, into one cycle in an order that no prefetcher follows:
// place i leads to place (a i + c) mod count, which visits all when count is a power of two,
// a % 4 == 1 and c is odd. Block b starts at ends[b], a place of its own.
__global__ void make_chain(char *memory, size_t count, size_t stride, char **ends, int blocks)
{
    size_t thread = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    for (size_t i = thread; i < count; i += (size_t)gridDim.x * blockDim.x)
        *(char **)(memory + i * stride) = memory + (1664525 * i + 1013904223) % count * stride;
    if (thread < blocks)
        ends[thread] = memory + count * thread / blocks * stride;
}

enum level { L1, BEYOND_L1 };

template <enum level level>
__device__ char *follow(char *at)
{
    unsigned long long *place = (unsigned long long *)at;
    return (char *)(level == L1 ? __ldca(place) : __ldcg(place));
}

// One thread an SM follows the chain from ends[its block], where the launch before stopped.
template <enum level level>
__global__ void chase(int warm_up, long long *cycles, char **ends)
{
    char *at = ends[blockIdx.x];
    for (int i = 0; i < warm_up; i++)
        at = follow<level>(at);
    long long start = clock64();
    for (int i = 0; i < STEPS; i++)
        at = follow<level>(at);
    ends[blockIdx.x] = at; // before the clock is read: it needs the last load
    cycles[blockIdx.x] = clock64() - start;
}

template <enum level level>
static double measure_chase(size_t count, size_t stride, int warm_up)
{
    const int blocks = multiprocessors();
    char *memory, **ends;
    CHECK(cudaMalloc(&memory, count * stride));
    CHECK(cudaMalloc(&ends, blocks * sizeof *ends));
    make_chain<<<1024, 256>>>(memory, count, stride, ends, blocks);
    CHECK(cudaGetLastError());
    double cycles =
        count_cycles([=](long long *c) { chase<level><<<blocks, 1>>>(warm_up, c, ends); }, blocks);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(ends));
    return cycles / STEPS;
}

// Each lane follows a word that leads to itself; the warp's lie in so many lines, `words` of them used.
template <enum level level>
__global__ void chase_lines(char *memory, int lines, int words, long long *cycles, char **ends)
{
    unsigned lane = threadIdx.x;
    char *at = memory + lane * lines / WARP * LINE_BYTES + lane % words * sizeof at;
    *(char **)at = at;
    __threadfence();
    at = follow<level>(at);
    long long start = clock64();
    for (int i = 0; i < STEPS; i++)
        at = follow<level>(at);
    ends[lane] = at;
    if (lane == 0)
        *cycles = clock64() - start;
}

// The words first in their lines, and so in the same few banks of L1; or spread over all banks.
template <enum level level>
static void measure_lines(const char *name)
{
    char *memory, **ends;
    CHECK(cudaMalloc(&memory, WARP * LINE_BYTES));
    CHECK(cudaMalloc(&ends, WARP * sizeof *ends));
    auto cycles = [=](int lines, int words) {
        auto launch = [=](long long *c) {
            chase_lines<level><<<1, WARP>>>(memory, lines, words, c, ends);
        };
        return count_cycles(launch) / STEPS;
    };
    for (int lines = 2; lines <= WARP; lines *= 2)
        report(cycles(lines, WARP / lines), "cycles", "%s_latency_%d_lines", name, lines);
    for (int lines = 8; lines <= WARP; lines *= 4)
        report(cycles(lines, LINE_BYTES / sizeof(char *)), "cycles", "%s_latency_%d_lines_spread",
               name, lines);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(ends));
}

__global__ void chase_shared(long long *cycles, unsigned *end)
{
    __shared__ unsigned next[WARP];
    for (unsigned i = 0; i < WARP; i++)
        next[i] = (i + 5) % WARP;
    unsigned at = 0;
    long long start = clock64();
    for (int i = 0; i < STEPS; i++)
        at = next[at];
    *end = at;
    *cycles = clock64() - start;
}

__global__ void multiply_add(long long *cycles, float *end)
{
    float x = *end;
    long long start = clock64();
#pragma unroll 64
    for (int i = 0; i < STEPS; i++)
        x = x * 1.000001f + 0.5f;
    *end = x;
    *cycles = clock64() - start;
}

// Only thread 0's clock is read: a barrier holds it until the last warp has come.
__global__ void meet(long long *cycles)
{
    long long start = clock64();
    for (int i = 0; i < STEPS; i++)
        __syncthreads();
    if (threadIdx.x == 0)
        *cycles = clock64() - start;
}

int main(void)
{
    wake_up();
    void *end;
    CHECK(cudaMalloc(&end, sizeof(float)));
    CHECK(cudaMemset(end, 0, sizeof(float)));
    report(count_cycles([=](long long *c) { multiply_add<<<1, 1>>>(c, (float *)end); }) / STEPS,
           "cycles", "alu_latency");
    report(count_cycles([=](long long *c) { chase_shared<<<1, 1>>>(c, (unsigned *)end); }) / STEPS,
           "cycles", "shared_latency");
    report(measure_chase<L1>(128, LINE_BYTES, 256), "cycles", "l1_latency");
    report(measure_chase<BEYOND_L1>(1 << 16, LINE_BYTES, 1 << 16), "cycles", "l2_latency");
    // 2 GiB, so much that the L2 has lost a line when the chain comes to it again.
    report(measure_chase<BEYOND_L1>(1 << 22, 4 * LINE_BYTES, 0), "cycles", "dram_latency");
    measure_lines<L1>("l1");
    measure_lines<BEYOND_L1>("l2");
    for (int warps = 1; warps <= 32; warps *= 2)
        report(count_cycles([=](long long *c) { meet<<<1, warps * WARP>>>(c); }) / STEPS, "cycles",
               "barrier_%d_warps", warps);
    return 0;
}
