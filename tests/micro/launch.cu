// What it costs to start: a kernel, and each of its blocks; and what keeps a block from starting.
#include "micro.h"

__global__ void nothing(void)
{
}

// So many launches between events, in microseconds. The clock behind events ticks slowly: the mean of many.
static double launches_us(int launches)
{
    enum { MANY = 100 };
    double sum = 0;
    for (int i = 0; i < MANY; i++)
        sum += time_ms([=] {
                   for (int l = 0; l < launches; l++)
                       nothing<<<1, WARP>>>();
               }) *
               1e3;
    return sum / MANY;
}

// Cycles from one block to the next: of blocks that all SMs take from the GPU's block scheduler as
// fast as it gives them, and of blocks so large that each waits for the end of the one before it.
static void measure_blocks(int threads)
{
    enum { MANY = 5120, FEW = 1024 };
    const int sms = multiprocessors(),
              most_shared = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    auto cycles = [=](int shared) {
        auto time = [=](int blocks_per_sm) {
            return time_ms([=] { nothing<<<sms * blocks_per_sm, threads, shared>>>(); });
        };
        return cycles_in(time(MANY) - time(FEW)) / (MANY - FEW);
    };
    CHECK(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, most_shared));
    report(cycles(0) / sms, "cycles", "block_interval_%d_threads", threads);
    report(cycles(most_shared), "cycles", "block_alone_%d_threads", threads);
}

enum work { WAIT, SHARED_LOADS, L2_LOADS, L2_STORES, DRAM_STORES };
enum { LONG = 2000000, SHORT_PER_SM = 4000, MOST_SMS = 1024 }; // cycles; blocks; numbers of SMs

__device__ unsigned multiprocessor(void)
{
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
}

// The thread's word in a row of memory that no other block works on at the time.
__device__ float *word_of_thread(float *memory, int rows, int i)
{
    size_t row = (i * (size_t)gridDim.x + blockIdx.x) % rows;
    return memory + row * blockDim.x + threadIdx.x;
}

template <enum work work>
__device__ void work_long(float *memory, int rows)
{
    __shared__ volatile float words[WARP * WARP];
    words[threadIdx.x % WARP * WARP] = 0;
    float sum = 0;
    long long start = clock64();
    for (int i = 0; clock64() - start < LONG; i++) {
        float *word = word_of_thread(memory, rows, i);
        if (work == L2_STORES || work == DRAM_STORES)
            *word = i;
        if (work == L2_LOADS)
            sum += __ldcg(word);
        if (work == SHARED_LOADS)
            sum += words[threadIdx.x % WARP * WARP];
    }
    if (sum == 0.5f)
        *memory = sum;
}

// Of the first `candidates` blocks, the one that comes first on each SM works for LONG cycles; taken
// has a word for each SM that is not `turn` yet. The others do nothing, or store a word a thread.
template <enum work work, bool store>
__global__ void __launch_bounds__(1024)
    mix(int candidates, unsigned *taken, unsigned turn, float *memory, int rows)
{
    __shared__ unsigned before;
    if (blockIdx.x < candidates) {
        if (threadIdx.x == 0)
            before = atomicExch(&taken[multiprocessor() % MOST_SMS], turn);
        __syncthreads();
        if (before != turn)
            work_long<work>(memory, rows);
    } else if (store) {
        *word_of_thread(memory, rows, 0) = 1;
    }
}

// An SM holds two blocks. Cycles from one short block to the next, while they take turns beside one
// that works long: the short ones are more than there is time for beside it, those that are left
// over run two at a time, and how long that takes them is measured without the long ones.
template <enum work work, bool store>
static void measure_beside(const char *name)
{
    const int sms = multiprocessors(), shorts = sms * SHORT_PER_SM,
              threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor) / 2;
    const size_t bytes = work == DRAM_STORES ? (size_t)1 << 30 : (size_t)16 << 20;
    const int rows = (int)(bytes / (threads * sizeof(float)));
    float *memory;
    unsigned *taken, turn = 0;
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMemset(memory, 0, bytes));
    CHECK(cudaMalloc(&taken, MOST_SMS * sizeof *taken));
    CHECK(cudaMemset(taken, 0, MOST_SMS * sizeof *taken));
    auto time = [&](int candidates, int blocks) {
        return time_ms([&] {
            mix<work, store><<<blocks, threads>>>(candidates, taken, ++turn, memory, rows);
        });
    };
    double one = (time(0, shorts) - time(0, shorts / 2)) / (SHORT_PER_SM / 2);
    double after = time(2 * sms, 2 * sms + shorts) - time(2 * sms, 2 * sms);
    report(LONG / (SHORT_PER_SM - after / one), "cycles", "block_beside_%s_%s", name,
           store ? "stores" : "ends");
    CHECK(cudaFree(taken));
    CHECK(cudaFree(memory));
}

template <enum work work>
static void measure_work(const char *name)
{
    measure_beside<work, false>(name);
    measure_beside<work, true>(name);
}

int main(void)
{
    enum { MORE = 8 };
    wake_up();
    double one = launches_us(1);
    report(launches_us(0), "us", "events_apart");
    report(one, "us", "launch");
    report((launches_us(1 + MORE) - one) / MORE, "us", "launch_behind_launch");
    for (int threads = WARP; threads <= 1024; threads *= 2)
        measure_blocks(threads);
    measure_work<WAIT>("wait");
    measure_work<SHARED_LOADS>("shared_loads");
    measure_work<L2_LOADS>("l2_loads");
    measure_work<L2_STORES>("l2_stores");
    measure_work<DRAM_STORES>("dram_stores");
    return 0;
}
