// What becomes of stores: how long they keep a block from ending, and what sectors cost of which a request writes a
// part.
#include "micro.h"

// Both powers of two.
enum { IN_L2 = 16 << 20, BEYOND_L2 = 1 << 30 };

// Each warp stores a word a lane to `lines` lines of its own, and ends; or does all but the store.
template <int lines>
__global__ void store_and_end(float *memory, unsigned words, bool stores)
{
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP,
             line = warp * lines + lane * lines / WARP, word = lane % (WARP / lines);
    float *at = memory + ((line * LINE_WORDS + word) & (words - 1));
    if (stores || at == NULL)
        *at = 1;
}

// Cycles from one block to the next in one place, when each SM holds `resident` of them.
template <int lines>
static void measure_blocks(float *memory, const char *where, int threads, int resident,
                           bool stores = true)
{
    enum { MANY = 2048, FEW = 512 };
    const int sms = multiprocessors(), most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
              shared = (most + 1024) / resident - 1024; // 1 KiB of each block's is CUDA's
    const unsigned bytes = *where == 'l' ? IN_L2 : BEYOND_L2;
    CHECK(cudaFuncSetAttribute(store_and_end<lines>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               most));
    auto time = [=](int blocks) {
        return time_ms([=] {
            store_and_end<lines><<<sms * blocks, threads, shared>>>(memory, bytes / 4, stores);
        });
    };
    double cycles = cycles_in(time(MANY) - time(FEW)) / (MANY - FEW) * resident;
    report(cycles, "cycles", "block_stores_%s_%d_lines_%dx%d_threads", where, stores ? lines : 0,
           resident, threads);
}

static void measure_block(float *memory, int threads, int resident)
{
    measure_blocks<1>(memory, "l2", threads, resident, false);
    measure_blocks<1>(memory, "l2", threads, resident);
    measure_blocks<4>(memory, "l2", threads, resident);
    measure_blocks<8>(memory, "l2", threads, resident);
    measure_blocks<32>(memory, "l2", threads, resident);
    measure_blocks<1>(memory, "dram", threads, resident);
    measure_blocks<4>(memory, "dram", threads, resident);
    measure_blocks<8>(memory, "dram", threads, resident);
    measure_blocks<32>(memory, "dram", threads, resident);
}

enum { THREADS = 256, EACH = 2 };

// Memory as a matrix of pieces, which the warps store or load column by column: 32 words, `shift` words behind where they
// would be a line. The piece beside one comes when a column is done.
template <bool stores>
__global__ void stream(float *memory, int shift)
{
    unsigned first = (blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP) * EACH,
             columns = gridDim.y + 1;
    float *words = memory + threadIdx.x % WARP + shift, sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        float *word = words + ((size_t)(first + i) * columns + blockIdx.y) * WARP;
        if (stores)
            *word = 1;
        else
            sum += __ldcg(word);
    }
    if (sum == 0.5f)
        *memory = 1;
}

// In columns of that many bytes.
template <bool stores>
static void measure_stream(float *memory, unsigned bytes, unsigned column, const char *name)
{
    dim3 grid(column / sizeof(float) / EACH / THREADS, bytes / column - 1);
    for (int shift = 0; shift <= 1; shift++) {
        double ms = time_ms([=] { stream<stores><<<grid, THREADS>>>(memory, shift); });
        report(grid.x * grid.y * (4e-6 * THREADS * EACH) / ms, "GB/s", "%s_%uk_%s", name,
               column >> 10, shift ? "shifted" : "aligned");
    }
}

int main(void)
{
    wake_up();
    float *memory;
    CHECK(cudaMalloc(&memory, BEYOND_L2));
    CHECK(cudaMemset(memory, 0, BEYOND_L2));
    measure_block(memory, 32, 1);
    measure_block(memory, 256, 2);
    measure_block(memory, 1024, 1);
    measure_block(memory, 1024, 2);
    measure_block(memory, 256, 8);
    for (unsigned column = 64 << 10; column <= 16 << 20; column *= 4)
        measure_stream<true>(memory, BEYOND_L2, column, "write_columns");
    measure_stream<true>(memory, IN_L2, 256 << 10, "write_columns_l2");
    measure_stream<false>(memory, BEYOND_L2, 256 << 10, "read_columns");
    CHECK(cudaFree(memory));
    return 0;
}
