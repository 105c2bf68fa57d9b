// The way into the L2: what requests take of it whose warps store all of a piece of memory, how unlike the latencies are
// of loads that hit there, alone and behind stores, and what sectors take that are stored in parts with many others between.
#include "micro.h"

enum { THREADS = 256, WARPS = THREADS / WARP, RESIDENT = 8, ROUNDS = 32, IN_L2 = 8 << 20 }; // bytes

// Each warp stores a word a lane, all warps all of IN_L2 bytes, `shift` bytes behind the start of a line.
template <typename Word>
__global__ void __launch_bounds__(THREADS) sweep(char *memory, unsigned shift)
{
    const unsigned count = IN_L2 / sizeof(Word), step = gridDim.x * THREADS;
    Word *words = (Word *)(memory + shift);
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < count; i += step)
            words[i] = Word();
}

template <typename Word>
static void measure_sweep(char *memory, unsigned shift)
{
    const int sms = multiprocessors();
    double ms = time_ms([=] { sweep<Word><<<sms * RESIDENT, THREADS>>>(memory, shift); }),
           requests = (double)ROUNDS * IN_L2 / sizeof(Word) / WARP / sms;
    report(cycles_in(ms) / requests, "cycles/request", "l2_sweep_%d_bytes_%u_behind",
           (int)sizeof(Word), shift);
}

enum {
    LOADS = 512,
    MOST_WARPS = 32,
    AHEAD = 20000
}; // of a block; of it; cycles that the stores are ahead

// The cycles of loads by one warp of a block, one after the other, while `storing` others store a word to each of so many
// lines a request, as fast as they can.
__global__ void __launch_bounds__(MOST_WARPS *WARP)
    load_beside(const char *in, char *out, unsigned *cycles, unsigned storing, unsigned lines)
{
    __shared__ volatile bool is_over;
    unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, words = WARP / lines;
    is_over = false;
    __syncthreads();
    if (warp == 0) {
        for (long long start = clock64(); clock64() - start < AHEAD;)
            ;
        for (unsigned i = 0, line = blockIdx.x; i < LOADS; i++) {
            line = line * 1664525u + 1013904223u; // looks random: Numerical Recipes
            const char *at = in + line / 16 % (IN_L2 / LINE_BYTES) * LINE_BYTES;
            unsigned start = clock();
            float got;
            asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(got) : "l"(at) : "memory");
            unsigned end = clock_at(got);
            if (lane == 0)
                cycles[blockIdx.x * LOADS + i] = end - start;
        }
        is_over = true;
    } else if (warp <= storing) {
        for (unsigned q = blockIdx.x * MOST_WARPS + warp; !is_over; q += gridDim.x * MOST_WARPS) {
            unsigned line = (q * lines + lane / words) % (IN_L2 / LINE_BYTES);
            *(volatile float *)(out + line * LINE_BYTES + lane % words * sizeof(float)) = 1;
        }
    }
}

static void measure_beside(const char *in, char *out, unsigned storing, unsigned lines)
{
    const int sms = multiprocessors(), count = sms * LOADS;
    unsigned *cycles, *host;
    CHECK(cudaMallocHost(&host, count * sizeof *host));
    CHECK(cudaMalloc(&cycles, count * sizeof *cycles));
    for (int i = 0; i < 2; i++) // the second time the L2 has all of it
        load_beside<<<sms, MOST_WARPS * WARP>>>(in, out, cycles, storing, lines);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, cycles, count * sizeof *host, cudaMemcpyDeviceToHost));
    qsort(host, count, sizeof *host, compare_unsigned);
    for (int tenth = 1; tenth <= 9; tenth += 4)
        report(host[(size_t)count * tenth / 10], "cycles",
               "l2_load_beside_%u_warps_%u_lines_%d_tenths", storing, lines, tenth);
    CHECK(cudaFree(cycles));
    CHECK(cudaFreeHost(host));
}

enum {
    FEW_THREADS = 128,
    UNFINISHED_MB = 2048
}; // of a block, one an SM: enough to keep the way busy

// Each warp stores a half of a sector in each of `ahead` x 32 lines, and then the other halves: so many lines of all warps
// are unfinished at a time. Then it comes to the lines' next sectors, and after the fourth to other lines.
__global__ void __launch_bounds__(FEW_THREADS)
    leave_unfinished(char *memory, unsigned ahead, unsigned rounds)
{
    const size_t warp = (size_t)blockIdx.x * (FEW_THREADS / WARP) + threadIdx.x / WARP,
                 warps = (size_t)gridDim.x * (FEW_THREADS / WARP), lane = threadIdx.x % WARP;
    for (unsigned round = 0; round < rounds; round++)
        for (unsigned half = 0; half < 2; half++)
            for (unsigned i = 0; i < ahead; i++) {
                size_t line = ((round / 4 * warps + warp) * ahead + i) * WARP + lane;
                char *sector = memory + line * LINE_BYTES + round % 4 * SECTOR_BYTES;
                *(float4 *)(sector + half * sizeof(float4)) = float4();
            }
}

static void measure_unfinished(unsigned lines)
{
    const unsigned sms = multiprocessors(), ahead = lines / FEW_THREADS;
    size_t bytes = (size_t)UNFINISHED_MB << 20, lines_a_round = (size_t)sms * lines;
    unsigned rounds = 4 * (unsigned)(bytes / LINE_BYTES / lines_a_round);
    char *memory;
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemset(memory, 0, bytes));
    double ms = time_ms([=] { leave_unfinished<<<sms, FEW_THREADS>>>(memory, ahead, rounds); });
    report(cycles_in(ms) / ((double)rounds * lines), "cycles/sector", "l2_unfinished_%u_lines",
           lines);
    CHECK(cudaFree(memory));
}

int main(void)
{
    wake_up();
    char *memory, *in;
    CHECK(cudaMalloc(&memory, IN_L2 + LINE_BYTES));
    CHECK(cudaMalloc(&in, IN_L2));
    CHECK(cudaMemset(memory, 0, IN_L2 + LINE_BYTES));
    CHECK(cudaMemset(in, 0, IN_L2));
    for (unsigned shift : {0, 4, 32, 36})
        measure_sweep<float>(memory, shift);
    for (unsigned shift : {0, 16, 32})
        measure_sweep<float4>(memory, shift);
    measure_beside(in, memory, 0, 1);
    for (unsigned lines : {1u, 8u, 32u})
        for (unsigned storing : {2u, 8u, 31u})
            measure_beside(in, memory, storing, lines);
    for (unsigned lines : {128, 256, 512, 1024, 2048})
        measure_unfinished(lines);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(in));
    return 0;
}
