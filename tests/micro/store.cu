// What becomes of stores: how long until one is done, what that keeps a block from ending, and what sectors cost of
// which a request writes a part.
#include "micro.h"

enum { IN_L2 = 16 << 20, BEYOND_L2 = 1 << 30, MOST_WARPS = 32, ROUNDS = 64 };

// The warp's n-th request: `lines` lines, of each a word or, where there are more lanes than lines, more of them. No two
// warps have lines in common.
__device__ float *word_of_lane(float *memory, size_t words, int lines, int n)
{
    size_t warp = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / WARP,
           warps = gridDim.x * (size_t)blockDim.x / WARP, lane = threadIdx.x % WARP;
    size_t first = (n * warps + warp) * lines * LINE_WORDS;
    return memory + first % words + lane * lines / WARP * LINE_WORDS + lane % (WARP / lines);
}

// Cycles from a store to when all the GPU can see it, beyond what a fence takes that has nothing to wait for.
__global__ void store_and_fence(float *memory, size_t words, int lines, int first,
                                long long *cycles)
{
    long long fence = 0, both = 0;
    __threadfence();
    for (int i = 0; i < ROUNDS; i++) {
        float *word = word_of_lane(memory, words, lines, first + i);
        __syncwarp();
        long long start = clock64();
        *word = i;
        __threadfence();
        long long stored = clock64();
        __threadfence();
        both += stored - start;
        fence += clock64() - stored;
    }
    if (threadIdx.x == 0)
        cycles[blockIdx.x] = (both - fence) / ROUNDS;
}

static void measure_done(float *memory, size_t bytes, const char *where, int warps)
{
    const int sms = multiprocessors(), each = warps == 1 ? 1 : sms;
    for (int lines = 1; lines <= WARP; lines *= 8 / (lines == 8 ? 2 : 1)) {
        int turn = 0; // what a launch stores the ones before it did not, where there is room
        double cycles = count_cycles(
            [&](long long *counts) {
                store_and_fence<<<each, warps * WARP>>>(memory, bytes / sizeof(float), lines, turn,
                                                        counts);
                turn += ROUNDS;
            },
            each);
        report(cycles, "cycles", "store_done_%s_%d_lines_%d_warps", where, lines, warps);
    }
}

// Blocks that store and end, as many at a time on each SM as `resident`. Cycles from one to the next in one place.
__global__ void store_and_end(float *memory, size_t words, int lines)
{
    if (lines)
        *word_of_lane(memory, words, lines, 0) = 1;
}

static void measure_blocks(float *memory, size_t bytes, const char *where, int threads,
                           int resident)
{
    enum { MANY = 2048, FEW = 512 };
    const int sms = multiprocessors(), most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
              shared = (most + 1024) / resident - 1024;
    CHECK(cudaFuncSetAttribute(store_and_end, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    for (int lines = 0; lines <= WARP; lines = lines ? lines * 8 / (lines == 8 ? 2 : 1) : 1) {
        auto time = [=](int blocks) {
            return time_ms([=] {
                store_and_end<<<sms * blocks, threads, shared>>>(memory, bytes / sizeof(float),
                                                                 lines);
            });
        };
        double cycles = cycles_in(time(MANY) - time(FEW)) / (MANY - FEW) * resident;
        report(cycles, "cycles", "block_stores_%s_%d_lines_%dx%d_threads", where, lines, resident,
               threads);
    }
}

// Each warp stores or loads 32 words side by side, `shift` words behind a line's start. Neighbours follow each
// other, or come 32768 warps later.
template <bool stores, bool far>
__global__ void stream(float *memory, float *sink, int shift, int columns)
{
    size_t warp = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / WARP,
           warps = gridDim.x * (size_t)blockDim.x / WARP, rows = warps / columns;
    size_t piece = far ? warp % rows * columns + warp / rows : warp;
    float *word = memory + piece * WARP + threadIdx.x % WARP + shift;
    if (stores)
        *word = 1;
    else if (__ldcg(word) == 0.5f)
        *sink = 1;
}

template <bool stores, bool far>
static void measure_stream(float *memory, size_t bytes, const char *name)
{
    enum { THREADS = 256, COLUMNS = 251 };
    static float *sink;
    if (!sink)
        CHECK(cudaMalloc(&sink, sizeof *sink));
    int unit = COLUMNS * THREADS * (int)sizeof(float);
    int blocks = (int)((bytes - LINE_BYTES) / unit) * COLUMNS;
    for (int shift = 0; shift <= 1; shift++) {
        double ms = time_ms(
            [=] { stream<stores, far><<<blocks, THREADS>>>(memory, sink, shift, COLUMNS); });
        report(blocks * (double)THREADS * sizeof(float) / ms * 1e-6, "GB/s", "%s_%s", name,
               shift ? "shifted" : "aligned");
    }
}

int main(void)
{
    wake_up();
    float *memory;
    CHECK(cudaMalloc(&memory, BEYOND_L2));
    CHECK(cudaMemset(memory, 0, BEYOND_L2));
    for (int warps = 1; warps <= MOST_WARPS; warps *= warps == 1 ? 4 : 8) {
        measure_done(memory, IN_L2, "l2", warps);
        measure_done(memory, BEYOND_L2, "dram", warps);
    }
    measure_blocks(memory, IN_L2, "l2", 32, 1);
    measure_blocks(memory, BEYOND_L2, "dram", 32, 1);
    measure_blocks(memory, BEYOND_L2, "dram", 256, 2);
    measure_blocks(memory, BEYOND_L2, "dram", 1024, 2);
    measure_stream<true, false>(memory, IN_L2, "write_near_l2");
    measure_stream<true, true>(memory, IN_L2, "write_far_l2");
    measure_stream<false, false>(memory, IN_L2, "read_near_l2");
    measure_stream<true, false>(memory, BEYOND_L2, "write_near_dram");
    measure_stream<true, true>(memory, BEYOND_L2, "write_far_dram");
    measure_stream<false, false>(memory, BEYOND_L2, "read_near_dram");
    measure_stream<false, true>(memory, BEYOND_L2, "read_far_dram");
    CHECK(cudaFree(memory));
    return 0;
}
