// What stores do to L1: a warp loads some lines, stores to others, and loads the first ones again, one after the other. Then
// how long that took says how many of them are still there; and how long it takes to load what was stored.
#include "micro.h"

enum { KEPT = 256, MOST = 4096 }; // lines that are loaded, and stored to at most

// Every lane stores so many bytes: to a line for each of `lanes_a_line` lanes.
template <typename Word>
__global__ void load_store_load(const unsigned *kept, char *stored, int lines, int lanes_a_line,
                                int again, unsigned *sink, long long *cycles)
{
    const unsigned lane = threadIdx.x, warps_lines = WARP / lanes_a_line;
    unsigned at = 0;
    for (int i = 0; i < KEPT; i++)
        at = kept[(at + i) * LINE_WORDS];
    for (int first = 0; first < lines; first += warps_lines)
        *(Word *)(stored + (first + lane / lanes_a_line) * (size_t)LINE_BYTES +
                  lane % lanes_a_line * sizeof(Word)) = Word{};
    __syncwarp();
    const unsigned *from = again ? (const unsigned *)stored : kept;
    const int count = again ? lines : KEPT;
    const long long start = clock64();
    for (int i = 0; i < count; i++)
        at = from[(at + i) * LINE_WORDS];
    const long long end = clock64();
    if (lane == 0) {
        *sink = at;
        *cycles = (end - start) / count;
    }
}

template <typename Word>
static void measure(unsigned *kept, char *stored, long long *cycles, int lines, int lanes_a_line,
                    bool again)
{
    double wait = median([=] {
        load_store_load<Word><<<1, WARP>>>(kept, stored, lines, lanes_a_line, again,
                                           (unsigned *)(cycles + 1), cycles);
        long long mean;
        CHECK(cudaMemcpy(&mean, cycles, sizeof mean, cudaMemcpyDeviceToHost));
        return (double)mean;
    });
    report(wait, "cycles", "evict_%d_lines_%d_bytes%s", lines, lanes_a_line * (int)sizeof(Word),
           again ? "_stored" : "");
}

int main(void)
{
    wake_up();
    unsigned *kept;
    char *stored;
    long long *cycles;
    CHECK(cudaMalloc(&kept, KEPT * LINE_BYTES));
    CHECK(cudaMemset(kept, 0, KEPT * LINE_BYTES));
    CHECK(cudaMalloc(&stored, MOST * LINE_BYTES));
    CHECK(cudaMemset(stored, 0, MOST * LINE_BYTES));
    CHECK(cudaMalloc(&cycles, 2 * sizeof *cycles));
    for (int lines : {32, 512, 1024, 1536, 2048, 3072, 4096}) {
        measure<float>(kept, stored, cycles, lines, 1, false);
        measure<float4>(kept, stored, cycles, lines, 8, false);
    }
    for (int lines : {32, 512}) {
        measure<float>(kept, stored, cycles, lines, 1, true);
        measure<float4>(kept, stored, cycles, lines, 8, true);
    }
    CHECK(cudaFree(cycles));
    CHECK(cudaFree(stored));
    CHECK(cudaFree(kept));
    return 0;
}
