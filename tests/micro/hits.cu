// Loads of what the L2 has: how long they take beside others that DRAM has to bring, and beside others that the L2 has, too.
#include "micro.h"

enum { LISTENERS = 4, LINES = 32, LINES_APART = 257, ROUNDS = 100 };
enum { LATE = 336 }; // cycles: next to no hit of an H200 or an H100 takes as long beside nothing
enum { KEPT = 1 << 18, WORDS = 1 << 26 }; // of 16 bytes
enum { ENOUGH = 256 };                    // loads of a block between two looks at whether to stop

struct seen {
    unsigned long long loads, cycles, late; // of the listeners, later than LATE cycles
    unsigned long long bytes, spans, warps; // of the others; each warp's span of cycles
    unsigned stopped;                       // listeners
};

// One thread on its SM goes round lines that the L2 keeps.
static __device__ void listen(const float *kept, struct seen *seen)
{
    const float *mine = kept + blockIdx.x * LINES * LINES_APART * LINE_WORDS;
    unsigned long long cycles = 0, late = 0;
    for (int i = -LINES; i < ROUNDS * LINES; i++) {
        const float *line = mine + (i + LINES) % LINES * LINES_APART * LINE_WORDS;
        unsigned start = clock(), waited = clock_at(__ldcg(line)) - start;
        if (i < 0)
            continue;
        cycles += waited;
        late += waited > LATE;
    }
    atomicAdd(&seen->loads, ROUNDS * LINES);
    atomicAdd(&seen->cycles, cycles);
    atomicAdd(&seen->late, late);
    atomicAdd(&seen->stopped, 1);
}

// Each warp of the others loads 16 bytes a lane, and again when they are there, until the listeners stop.
__global__ void __launch_bounds__(1024)
    disturb(const float4 *words, unsigned all, const float *kept, struct seen *seen)
{
    if (blockIdx.x < LISTENERS) {
        if (threadIdx.x == 0)
            listen(kept, seen);
        return;
    }
    const unsigned lane = threadIdx.x % WARP, threads = (gridDim.x - LISTENERS) * blockDim.x;
    unsigned at = (blockIdx.x - LISTENERS) * blockDim.x + threadIdx.x, count = 0;
    const long long start = clock64();
    do {
        for (int i = 0; i < ENOUGH / (int)(blockDim.x / WARP);
             i++, count++, at = (at + threads) % all)
            clock_at(__ldcg(words + at).x);
    } while (*(volatile unsigned *)&seen->stopped < LISTENERS);
    if (lane == 0) {
        atomicAdd(&seen->bytes, (unsigned long long)count * WARP * sizeof *words);
        atomicAdd(&seen->spans, (unsigned long long)(clock64() - start));
        atomicAdd(&seen->warps, 1);
    }
}

static void measure(const float4 *words, unsigned all, const float *kept, struct seen *seen,
                    int warps, const char *name)
{
    struct seen host;
    double bytes = 0, late = 0;
    const double cycles = median([&] {
        CHECK(cudaMemset(seen, 0, sizeof *seen));
        disturb<<<multiprocessors(), warps * WARP>>>(words, all, kept, seen);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&host, seen, sizeof host, cudaMemcpyDeviceToHost));
        bytes = (double)host.bytes / ((double)host.spans / (double)host.warps);
        late = (double)host.late / (double)host.loads;
        return (double)host.cycles / (double)host.loads;
    });
    report(cycles, "cycles", "l2_hit_beside_%s_%d_warps", name, warps);
    report(late, "share", "l2_hit_beside_%s_%d_warps_late", name, warps);
    report(bytes, "bytes/cycle", "%s_%d_warps_beside_l2_hits", name, warps);
}

int main(void)
{
    wake_up();
    float4 *words;
    float *kept;
    struct seen *seen;
    CHECK(cudaMalloc(&words, (size_t)WORDS * sizeof *words));
    CHECK(cudaMemset(words, 0, (size_t)WORDS * sizeof *words));
    const size_t kept_bytes = LISTENERS * LINES * LINES_APART * LINE_BYTES;
    CHECK(cudaMalloc(&kept, kept_bytes));
    CHECK(cudaMemset(kept, 0, kept_bytes));
    CHECK(cudaMalloc(&seen, sizeof *seen));
    for (int warps = 1; warps <= 16; warps *= 2) {
        measure(words, WORDS, kept, seen, warps, "misses");
        measure(words, KEPT, kept, seen, warps, "hits");
    }
    CHECK(cudaFree(words));
    CHECK(cudaFree(kept));
    CHECK(cudaFree(seen));
    return 0;
}
