// How unlike the latencies of loads from DRAM are that a block waits for together: a barrier waits for the longest.
// All SMs, with two blocks each, queue at DRAM; a quarter of them, with one, hardly do.
#include "micro.h"

enum { WARPS = 32, THREADS = WARPS * WARP, N = 8192, ACROSS = N / WARP };

struct seen {
    unsigned long long waits, longest, tiles; // cycles, of all warps; of the last warp of each tile
};

// Cycles until the word is there.
__device__ unsigned wait_for(const float *word, float *got)
{
    unsigned start = clock(), end;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(*got) : "l"(word) : "memory");
    if (*got == 0.5f) // which needs it
        start++;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(end)::"memory");
    return end - start;
}

// Tiles of a matrix, a row of 32 words a warp, from rows that lie 32 KiB apart; copied to the same place of another one,
// or not.
__global__ void __launch_bounds__(THREADS, 2)
    tiles(const float *in, float *out, bool copies, struct seen *seen)
{
    __shared__ unsigned longest;
    struct seen mine = {0, 0, 0};
    unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    float got, sum = 0;
    for (int tile = blockIdx.x; tile < ACROSS * ACROSS; tile += gridDim.x) {
        size_t word = ((size_t)(tile / ACROSS) * WARP + warp) * N + tile % ACROSS * WARP + lane;
        if (threadIdx.x == 0)
            longest = 0;
        __syncthreads();
        unsigned waited = wait_for(in + word, &got);
        if (lane == 0) {
            atomicMax(&longest, waited);
            mine.waits += waited;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            mine.longest += longest;
            mine.tiles++;
        }
        if (copies)
            out[word] = got;
        sum += got;
    }
    if (lane == 0) {
        atomicAdd(&seen->waits, mine.waits);
        atomicAdd(&seen->longest, mine.longest);
        atomicAdd(&seen->tiles, mine.tiles);
    }
    if (sum == 0.5f)
        *out = sum;
}

static void measure(const float *in, float *out, struct seen *seen, bool copies, int blocks,
                    const char *name)
{
    double harmonic =
        0; // the longest of so many exponential waits is as many means longer than the least
    for (int i = 2; i <= WARPS; i++)
        harmonic += 1.0 / i;
    struct seen host;
    double mean = 0;
    double spread = median([&] {
        CHECK(cudaMemset(seen, 0, sizeof *seen));
        tiles<<<blocks, THREADS>>>(in, out, copies, seen);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&host, seen, sizeof host, cudaMemcpyDeviceToHost));
        mean = (double)host.waits / (host.tiles * WARPS);
        return ((double)host.longest / host.tiles - mean) / harmonic;
    });
    report(mean, "cycles", "%s_wait", name);
    report(spread, "cycles", "%s_spread", name);
}

int main(void)
{
    wake_up();
    float *in, *out;
    struct seen *seen;
    CHECK(cudaMalloc(&in, (size_t)N * N * sizeof *in));
    CHECK(cudaMalloc(&out, (size_t)N * N * sizeof *out));
    CHECK(cudaMalloc(&seen, sizeof *seen));
    CHECK(cudaMemset(in, 0, (size_t)N * N * sizeof *in));
    int few = multiprocessors() / 4, all = 2 * multiprocessors();
    measure(in, out, seen, false, few, "dram_read_few");
    measure(in, out, seen, true, few, "dram_copy_few");
    measure(in, out, seen, false, all, "dram_read_all");
    measure(in, out, seen, true, all, "dram_copy_all");
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(seen));
    return 0;
}
