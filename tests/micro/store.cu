// What becomes of stores: how long they keep a block from ending, and what sectors cost of which a request writes a
// part.
#include "micro.h"

// Both powers of two.
enum { IN_L2 = 16 << 20, BEYOND_L2 = 1 << 30 };

// Each warp stores to `lines` lines of its own, a word or more to each, and ends.
__global__ void store_and_end(float *memory, unsigned words, int lines)
{
    if (lines == 0)
        return;
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP,
             line = warp * lines + lane * lines / WARP, word = lane % (WARP / lines);
    memory[(line * LINE_WORDS + word) & (words - 1)] = 1;
}

// Cycles from one block to the next in one place, when each SM holds `resident` of them.
static void measure_blocks(float *memory, unsigned bytes, const char *where, int threads,
                           int resident)
{
    enum { MANY = 2048, FEW = 512 };
    static const int numbers_of_lines[] = {0, 1, 4, 8, 32};
    const int sms = multiprocessors(), most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
              shared = (most + 1024) / resident - 1024; // 1 KiB of each block's is CUDA's
    CHECK(cudaFuncSetAttribute(store_and_end, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    for (int lines : numbers_of_lines) {
        auto time = [=](int blocks) {
            return time_ms([=] {
                store_and_end<<<sms * blocks, threads, shared>>>(memory, bytes / 4, lines);
            });
        };
        double cycles = cycles_in(time(MANY) - time(FEW)) / (MANY - FEW) * resident;
        report(cycles, "cycles", "block_stores_%s_%d_lines_%dx%d_threads", where, lines, resident,
               threads);
    }
}

enum { THREADS = 256, COLUMNS = 256 };

// Each warp stores or loads 32 words side by side, `shift` words behind a line's start. Its neighbours' come at the same
// time; or, `far`, when all other columns' rows have passed.
template <bool stores, bool far>
__global__ void stream(float *memory, int shift)
{
    unsigned row = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP,
             rows = gridDim.x * (THREADS / WARP);
    size_t piece = far ? (size_t)row * (COLUMNS - 1) + blockIdx.y : (size_t)blockIdx.y * rows + row;
    float *word = memory + piece * WARP + threadIdx.x % WARP + shift;
    if (stores)
        *word = 1;
    else if (__ldcg(word) == 0.5f)
        *memory = 1;
}

template <bool stores, bool far>
static void measure_stream(float *memory, unsigned bytes, const char *name)
{
    dim3 grid(bytes / COLUMNS / THREADS / sizeof(float), COLUMNS - 1);
    for (int shift = 0; shift <= 1; shift++) {
        double ms = time_ms([=] { stream<stores, far><<<grid, THREADS>>>(memory, shift); });
        report(grid.x * grid.y * (4e-6 * THREADS) / ms, "GB/s", "%s_%s", name,
               shift ? "shifted" : "aligned");
    }
}

int main(void)
{
    wake_up();
    float *memory;
    CHECK(cudaMalloc(&memory, BEYOND_L2));
    CHECK(cudaMemset(memory, 0, BEYOND_L2));
    measure_blocks(memory, IN_L2, "l2", 32, 1);
    measure_blocks(memory, BEYOND_L2, "dram", 32, 1);
    measure_blocks(memory, IN_L2, "l2", 256, 2);
    measure_blocks(memory, BEYOND_L2, "dram", 256, 2);
    measure_blocks(memory, IN_L2, "l2", 1024, 2);
    measure_blocks(memory, BEYOND_L2, "dram", 1024, 2);
    measure_blocks(memory, BEYOND_L2, "dram", 256, 8);
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
