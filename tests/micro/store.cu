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

enum { THREADS = 256, COLUMNS = 256, EACH = 16 };

// Memory as a matrix with rows of so many pieces, each of which a warp stores or loads: 32 words, `shift` words behind
// where they would be a line. The pieces beside one come before or after it at once; or, `far`, when a column is done.
template <bool stores, bool far>
__global__ void stream(float *memory, int shift)
{
    unsigned warp = blockIdx.x * (THREADS / WARP) + threadIdx.x / WARP,
             rows = gridDim.x * (THREADS / WARP) * EACH;
    float *first = memory + threadIdx.x % WARP + shift, sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        unsigned at = warp * EACH + i;
        size_t piece =
            far ? (size_t)at * (COLUMNS - 1) + blockIdx.y : (size_t)blockIdx.y * rows + at;
        if (stores)
            first[piece * WARP] = 1;
        else
            sum += __ldcg(first + piece * WARP);
    }
    if (sum == 0.5f)
        *memory = 1;
}

template <bool stores, bool far>
static void measure_stream(float *memory, unsigned bytes, const char *name)
{
    dim3 grid(bytes / COLUMNS / EACH / THREADS / sizeof(float), COLUMNS - 1);
    for (int shift = 0; shift <= 1; shift++) {
        double ms = time_ms([=] { stream<stores, far><<<grid, THREADS>>>(memory, shift); });
        report(grid.x * grid.y * (4e-6 * THREADS * EACH) / ms, "GB/s", "%s_%s", name,
               shift ? "shifted" : "aligned");
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
    measure_stream<true, false>(memory, IN_L2, "write_near_l2");
    measure_stream<true, true>(memory, IN_L2, "write_far_l2");
    measure_stream<false, false>(memory, IN_L2, "read_near_l2");
    measure_stream<false, true>(memory, IN_L2, "read_far_l2");
    measure_stream<true, false>(memory, BEYOND_L2, "write_near_dram");
    measure_stream<true, true>(memory, BEYOND_L2, "write_far_dram");
    measure_stream<false, false>(memory, BEYOND_L2, "read_near_dram");
    measure_stream<false, true>(memory, BEYOND_L2, "read_far_dram");
    CHECK(cudaFree(memory));
    return 0;
}
