// What waits behind what: a warp's loads, and reads of a special register, in an SM's load/store unit behind other warps'
// requests, and in the L2 behind what DRAM has to write.
#include "micro.h"

enum { WARPS = 32, AT_ONCE = 8, STORES = 4, LINES = 16, PAUSE = 200 }; // PAUSE: ns
enum { LONG = 1000000 };                                               // cycles
enum kind { SPECIAL_REGISTER, SHARED_LOAD, L1_LOAD, L2_LOAD };

// The cycles from asking until what was asked for is there.
template <enum kind kind>
__device__ unsigned time_load(unsigned shared, const float *global)
{
    unsigned start = clock();
    float got;
    if (kind == SPECIAL_REGISTER)
        asm volatile("mov.b32 %0, %%warpid;" : "=f"(got) : : "memory");
    if (kind == SHARED_LOAD)
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(got) : "r"(shared) : "memory");
    if (kind == L1_LOAD)
        asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(got) : "l"(global) : "memory");
    if (kind == L2_LOAD)
        asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(got) : "l"(global) : "memory");
    return clock_at(got) - start;
}

// The mean of what a warp's loads, or reads, take, now and then, without the first quarter of the time; in the L2, of many
// lines, as these are in different slices.
template <enum kind kind>
__device__ long long time_loads(unsigned shared, const float *global)
{
    long long sum = 0, loads = 0, begin = clock64(), now;
    for (unsigned i = 0; (now = clock64() - begin) < LONG; i++) {
        unsigned line = kind == L2_LOAD ? i % LINES : 0,
                 took = time_load<kind>(shared, global + line * LINE_WORDS);
        sum += now < LONG / 4 ? 0 : took;
        loads += now >= LONG / 4;
        __nanosleep(PAUSE); // also keeps ptxas from loading once
    }
    return sum / loads;
}

// The others load from shared memory, 32 wavefronts a request, as fast as they can.
template <enum kind kind>
__global__ void beside_shared_loads(const float *small, long long *cycles)
{
    __shared__ float words[WARP * WARP];
    unsigned lane = threadIdx.x % WARP, own = (unsigned)__cvta_generic_to_shared(words + lane),
             column = (unsigned)__cvta_generic_to_shared(words + lane * WARP);
    float got[AT_ONCE], sum = 0;
    words[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x < WARP) {
        long long mean = time_loads<kind>(own, small + lane);
        if (lane == 0)
            *cycles = mean;
        return;
    }
    for (long long start = clock64(); clock64() - start < LONG;) {
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            asm volatile("ld.volatile.shared.f32 %0, [%1];"
                         : "=f"(got[i])
                         : "r"(column)
                         : "memory");
        for (int i = 0; i < AT_ONCE; i++)
            sum += got[i];
    }
    if (sum == 0.5f)
        __trap();
}

// On all SMs; the others store to all of the memory, of which DRAM has to write each line, as fast as they can.
template <enum kind kind, int storing, typename Words>
__global__ void beside_dram_stores(Words *memory, size_t count, const float *small,
                                   long long *cycles, unsigned long long *stores)
{
    enum { THREADS = storing * WARP };
    __shared__ float words[WARP];
    unsigned lane = threadIdx.x % WARP, own = (unsigned)__cvta_generic_to_shared(words + lane);
    words[lane] = 0;
    __syncthreads();
    if (threadIdx.x < WARP) {
        const float *from = small + blockIdx.x * LINES * LINE_WORDS + lane;
        long long mean = time_loads<kind>(own, from);
        if (lane == 0)
            cycles[blockIdx.x] = mean;
        return;
    }
    const size_t step = (size_t)gridDim.x * STORES * THREADS,
                 first = (size_t)blockIdx.x * STORES * THREADS + threadIdx.x - WARP;
    size_t at = first;
    unsigned rounds = 0;
    for (long long start = clock64(), now; (now = clock64() - start) < LONG;
         rounds += now >= LONG / 4) {
#pragma unroll
        for (int i = 0; i < STORES; i++)
            memory[at + i * THREADS] = Words();
        at = at + step + STORES * THREADS > count ? first : at + step;
    }
    if (lane == 0)
        atomicAdd(stores, rounds * STORES);
}

// Cycles that what is asked for takes beside the stores of so many warps, and how many of these an SM makes in a cycle; both
// without the first quarter of the time.
struct beside {
    double cycles, rate;
};

template <enum kind kind, int storing, typename Words>
static struct beside measure_beside(void *memory, size_t bytes, const float *small)
{
    const int sms = multiprocessors();
    unsigned long long *counter, stores = 0;
    CHECK(cudaMalloc(&counter, sizeof *counter));
    double cycles = count_cycles(
        [=](long long *c) {
            CHECK(cudaMemset(counter, 0, sizeof *counter));
            beside_dram_stores<kind, storing><<<sms, (1 + storing) * WARP>>>(
                (Words *)memory, bytes / sizeof(Words), small, c, counter);
        },
        sms);
    CHECK(cudaMemcpy(&stores, counter, sizeof stores, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(counter));
    return {cycles, (double)stores / sms / (LONG * 3. / 4)};
}

template <enum kind kind>
static void measure(void *memory, size_t bytes, const float *small, const char *name)
{
    report(count_cycles(
               [=](long long *c) { beside_shared_loads<kind><<<1, WARPS * WARP>>>(small, c); }),
           "cycles", "%s_beside_shared_loads", name);
    struct beside found = measure_beside<kind, 7, float4>(memory, bytes, small);
    report(found.cycles, "cycles", "%s_beside_dram_stores", name);
    report(found.rate * WARP * sizeof(float4), "bytes/cycle", "dram_stores_beside_%ss", name);
}

// How many requests that store an SM's other warps make while a warp's load waits longer than it takes alone.
template <enum kind kind, int storing, typename Words>
static void measure_before(void *memory, size_t bytes, const float *small, const char *name)
{
    struct beside alone = measure_beside<kind, 0, Words>(memory, bytes, small),
                  found = measure_beside<kind, storing, Words>(memory, bytes, small);
    report((found.cycles - alone.cycles) * found.rate, "stores",
           "stores_before_%s_%zu_bytes_%d_warps", name, sizeof(Words), storing);
}

template <typename Words, int storing>
static void measure_both_before(void *memory, size_t bytes, const float *small)
{
    measure_before<SHARED_LOAD, storing, Words>(memory, bytes, small, "shared_load");
    measure_before<L1_LOAD, storing, Words>(memory, bytes, small, "l1_load");
}

// With three storing warps none is on the scheduler of the one that loads.
template <typename Words>
static void measure_all_before(void *memory, size_t bytes, const float *small)
{
    measure_both_before<Words, 3>(memory, bytes, small);
    measure_both_before<Words, 7>(memory, bytes, small);
    measure_both_before<Words, 15>(memory, bytes, small);
    measure_both_before<Words, 31>(memory, bytes, small);
}

int main(void)
{
    wake_up();
    const size_t bytes = (size_t)2 << 30, few = (size_t)multiprocessors() * LINES * LINE_BYTES;
    float *small;
    void *memory;
    CHECK(cudaMalloc(&memory, bytes));
    CHECK(cudaMalloc(&small, few));
    CHECK(cudaMemset(memory, 0, bytes));
    CHECK(cudaMemset(small, 0, few));
    measure<SPECIAL_REGISTER>(memory, bytes, small, "special_register");
    measure<SHARED_LOAD>(memory, bytes, small, "shared_load");
    measure<L1_LOAD>(memory, bytes, small, "l1_load");
    measure<L2_LOAD>(memory, bytes, small, "l2_load");
    measure_all_before<float>(memory, bytes, small);
    measure_all_before<float2>(memory, bytes, small);
    measure_all_before<float4>(memory, bytes, small);
    CHECK(cudaFree(memory));
    CHECK(cudaFree(small));
    return 0;
}
