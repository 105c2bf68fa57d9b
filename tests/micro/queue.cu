// How many requests the load/store unit takes on before a warp that issues the next one has to wait, and who gets room
// then, also where blocks began at different times; and how soon after one a warp issues the next, and its scheduler
// another warp's.
//
// All warps of an SM issue requests that take the unit long, one right after the other, and note the clock after each.
// While there is room a request takes a few cycles; then the next is taken on when one is served. What was taken on
// beyond what was served is what the unit has room for.
#include "micro.h"

enum { WARPS = 32, REQUESTS = 16, ALL = WARPS * REQUESTS, SCHEDULERS = 4 };

enum kind { SHARED_STORE, SHARED_LOAD, GLOBAL_STORE, GLOBAL_LOAD, COPY };

// A request of a word a lane.
template <enum kind kind>
__device__ float issue(unsigned shared, float *global)
{
    float got = 0;
    if (kind == SHARED_STORE)
        asm volatile("st.volatile.shared.f32 [%0], %1;" ::"r"(shared), "f"(1.0f) : "memory");
    if (kind == SHARED_LOAD)
        asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(got) : "r"(shared) : "memory");
    if (kind == GLOBAL_STORE)
        asm volatile("st.global.f32 [%0], %1;" ::"l"(global), "f"(1.0f) : "memory");
    if (kind == GLOBAL_LOAD)
        asm volatile("ld.global.f32 %0, [%1];" : "=f"(got) : "l"(global) : "memory");
    if (kind == COPY)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(global)
                     : "memory");
    return got;
}

// In turn requests of the one kind and of the other.
template <enum kind one, enum kind other>
__global__ void fill(float *memory, float *sink, unsigned *clocks)
{
    __shared__ float words[WARP * WARP];
    unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, at[REQUESTS];
    unsigned shared = (unsigned)__cvta_generic_to_shared(words + lane * WARP);
    float *global = memory + (size_t)(warp * REQUESTS * WARP + lane) * LINE_WORDS;
    float got[REQUESTS], sum = 0;
    words[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < REQUESTS; i++) {
        got[i] = i % 2 ? issue<other>(shared, global + i * WARP * LINE_WORDS)
                       : issue<one>(shared, global + i * WARP * LINE_WORDS);
        at[i] = clock();
    }
    __syncwarp(); // no result is waited for before
    for (int i = 0; i < REQUESTS && lane == 0; i++)
        clocks[warp * REQUESTS + i] = at[i];
    for (int i = 0; i < REQUESTS; i++)
        sum += got[i];
    sink[threadIdx.x] = sum + words[threadIdx.x];
}

// In the middle half the unit is full, and serves as many as it takes on.
static double room(const unsigned clocks[ALL])
{
    unsigned sorted[ALL];
    for (int i = 0; i < ALL; i++)
        sorted[i] = clocks[i] - clocks[0] + (1u << 31); // the clock may have started again from 0
    qsort(sorted, ALL, sizeof *sorted, compare_unsigned);
    double service = (sorted[ALL * 3 / 4] - sorted[ALL / 4]) / (ALL / 2.0);
    double served = (sorted[ALL / 2] - sorted[0]) / service;
    return ALL / 2.0 - served;
}

template <enum kind one, enum kind other>
static void measure(float *memory, const char *name)
{
    float *sink;
    unsigned *clocks;
    CHECK(cudaMalloc(&sink, WARPS * WARP * sizeof *sink));
    CHECK(cudaMalloc(&clocks, ALL * sizeof *clocks));
    double all = median([=] {
        unsigned host[ALL];
        fill<one, other><<<1, WARPS * WARP>>>(memory, sink, clocks);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost));
        return room(host);
    });
    report(all / SCHEDULERS, "requests/scheduler", "%s", name);
    CHECK(cudaFree(sink));
    CHECK(cudaFree(clocks));
}

// Each warp issues so many requests of one wavefront or line, while there is room for them all. Tells how long that takes the
// warp that is last.
template <enum kind kind, int requests>
__global__ void issue_all(float *memory, float *sink, unsigned *longest)
{
    enum { LONG = 4000 }; // cycles, in which all are served
    __shared__ float words[SCHEDULERS * 2 * REQUESTS * WARP];
    const unsigned own = threadIdx.x / WARP * REQUESTS * WARP + threadIdx.x % WARP;
    float got[requests], sum = 0;
    unsigned took = 0;
    for (int twice = 0; twice < 2; twice++) { // the instructions are there then
        __syncthreads();
        const unsigned begin = clock();
#pragma unroll
        for (int i = 0; i < requests; i++)
            got[i] = issue<kind>((unsigned)__cvta_generic_to_shared(words + own + i * WARP),
                                 memory + own + i * WARP);
        took = clock() - begin;
        for (int i = 0; i < requests; i++)
            sum += got[i];
        while (clock() - begin < LONG)
            ;
    }
    atomicMax(longest, took);
    sink[threadIdx.x] = sum;
}

template <enum kind kind, int requests>
static double cycles_to_issue(float *memory, unsigned warps)
{
    float *sink;
    unsigned *longest, host;
    CHECK(cudaMalloc(&sink, warps * WARP * sizeof *sink));
    CHECK(cudaMalloc(&longest, sizeof *longest));
    double cycles = median([=, &host] {
        CHECK(cudaMemset(longest, 0, sizeof *longest));
        issue_all<kind, requests><<<1, warps * WARP>>>(memory, sink, longest);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(&host, longest, sizeof host, cudaMemcpyDeviceToHost));
        return (double)host;
    });
    CHECK(cudaFree(sink));
    CHECK(cudaFree(longest));
    return cycles;
}

// Of one warp that is alone on its scheduler, and of two that are: by how much longer 5 requests of each take than 2. Where eight
// warps store 7 each, the unit is the limit, and after 7 stores the clock is read some 10 cycles late.
template <enum kind kind>
static void measure_interval(float *memory, const char *name)
{
    enum { FEW = 2, MORE = 5 };
    for (unsigned warps : {1u, 2u}) {
        const unsigned all = warps == 1 ? 1 : warps * SCHEDULERS;
        double cycles =
            cycles_to_issue<kind, MORE>(memory, all) - cycles_to_issue<kind, FEW>(memory, all);
        report(cycles / (MORE - FEW) / warps, "cycles/request", "%s_interval_%u_warps", name,
               warps);
    }
}

// How the unit takes turns: half of an SM's warps ask for shared memory, `ways` wavefronts a request, half for words in
// `lines` lines that L1 holds, all as fast as they can. Counts the requests of each half.
__global__ void compete(float *memory, int ways, int lines, unsigned *counts)
{
    enum { LONG = 200000, AT_ONCE = 8 }; // cycles; requests
    __shared__ float words[WARP * WARP];
    unsigned lane = threadIdx.x % WARP, is_shared = threadIdx.x / WARP / SCHEDULERS % 2,
             requests = 0;
    unsigned word = lane / (WARP / ways) * WARP + lane % (WARP / ways);
    unsigned shared = (unsigned)__cvta_generic_to_shared(words + word);
    float *global = memory + lane * lines / WARP * LINE_WORDS + lane % (WARP / lines);
    float got[AT_ONCE], sum = 0;
    words[threadIdx.x] = 0;
    __syncthreads();
    for (long long start = clock64(); clock64() - start < LONG; requests += AT_ONCE) {
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++)
            got[i] =
                is_shared ? issue<SHARED_LOAD>(shared, global) : issue<GLOBAL_LOAD>(shared, global);
        for (int i = 0; i < AT_ONCE; i++)
            sum += got[i];
    }
    if (lane == 0)
        atomicAdd(&counts[is_shared], requests);
    if (sum == 0.5f)
        *memory = sum;
}

static void measure_turns(float *memory, int ways, int lines)
{
    unsigned *counts, host[2];
    CHECK(cudaMalloc(&counts, sizeof host));
    double share = median([=, &host] {
        CHECK(cudaMemset(counts, 0, sizeof host));
        compete<<<1, WARPS * WARP>>>(memory, ways, lines, counts);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, counts, sizeof host, cudaMemcpyDeviceToHost));
        return (double)host[1] / host[0];
    });
    report(share, "shared/global", "turns_%d_ways_%d_lines", ways, lines);
    CHECK(cudaFree(counts));
}

// What a warp of a scheduler of the GPU stored when, as its how manieth.
struct note {
    unsigned scheduler, time, warp, number;
};

// All warps of the GPU store to 32 lines each, as fast as they can, when all blocks have begun; they note it when all have
// stored, as the notes would take the rooms of others.
__global__ void store_in_turns(float *memory, struct note *notes)
{
    enum { BEFORE = 20000, AFTER = 200000 }; // cycles
    unsigned lane = threadIdx.x % WARP, sm, slot, at[REQUESTS],
             warp = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    float *global = memory + (warp % ALL * WARP + lane) * LINE_WORDS;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    const long long start = clock64();
    while (clock64() - start < BEFORE)
        ;
#pragma unroll
    for (unsigned i = 0; i < REQUESTS; i++) {
        issue<GLOBAL_STORE>(0, global + i);
        at[i] = clock();
    }
    while (clock64() - start < AFTER)
        ;
    for (unsigned i = 0; i < REQUESTS && lane == 0; i++)
        notes[warp * REQUESTS + i] = {sm * SCHEDULERS + slot % SCHEDULERS, at[i], warp, i};
}

static int compare_notes(const void *a, const void *b)
{
    const struct note *x = (const struct note *)a, *y = (const struct note *)b;
    if (x->scheduler != y->scheduler)
        return x->scheduler > y->scheduler ? 1 : -1;
    int later = (int)(x->time - y->time); // the clock may have started again from 0
    return (later > 0) - (later < 0);
}

// How many stores of its scheduler's other warps come between two of a warp's, in the mean: without its first one, as all
// have theirs early, and the last one, whose clock comes late.
static double stores_between(struct note *notes, unsigned count, unsigned *last)
{
    double sum = 0, pairs = 0;
    qsort(notes, count, sizeof *notes, compare_notes);
    for (unsigned i = 0; i < count; i++) {
        if (notes[i].number > 1 && notes[i].number < REQUESTS - 1) {
            sum += i - last[notes[i].warp] - 1;
            pairs++;
        }
        last[notes[i].warp] = i;
    }
    return sum / pairs;
}

static void measure_order(float *memory, unsigned warps, unsigned blocks)
{
    const unsigned all = multiprocessors() * blocks * warps, count = all * REQUESTS,
                   shared = shared_of_block(blocks);
    struct note *notes, *host = (struct note *)host_memory(count * sizeof *host);
    unsigned *last = (unsigned *)host_memory(all * sizeof *last);
    CHECK(cudaMalloc(&notes, count * sizeof *notes));
    CHECK(
        cudaFuncSetAttribute(store_in_turns, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double between = median([=] {
        store_in_turns<<<multiprocessors() * blocks, warps * WARP, shared>>>(memory, notes);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, notes, count * sizeof *host, cudaMemcpyDeviceToHost));
        return stores_between(host, count, last);
    });
    report(between, "stores", "turns_of_%u_warps_%u_blocks", warps, blocks);
    CHECK(cudaFree(notes));
    free(host);
    free(last);
}

// The same where the blocks in the lower half of an SM's slots have ended, and others took their places: these began
// later, in lower slots. `began` counts the blocks of each SM that stay: they wait for each other, but not for ever,
// and note nothing if some do not come. What `arithmetic` they do instead keeps the scheduler busy.
__global__ void take_turns_by_age(float *memory, struct note *notes, unsigned *began,
                                  unsigned resident, bool arithmetic)
{
    enum {
        BEFORE = 20000,
        AFTER = 300000,
        PATIENCE = 50000000,
        STEPS = 128
    }; // cycles; instructions
    __shared__ unsigned number, first_slot;
    const unsigned lane = threadIdx.x % WARP, warps = blockDim.x / WARP,
                   warp = blockIdx.x * warps + threadIdx.x / WARP;
    unsigned sm, slot, at[REQUESTS];
    float *global = memory + (warp % ALL * WARP + lane) * LINE_WORDS, sums[2] = {0.5f, 1};
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
    if (threadIdx.x == 0)
        first_slot = slot;
    __syncthreads();
    long long start = clock64();
    const bool is_new = blockIdx.x >= gridDim.x / 2;
    if (!is_new && first_slot / warps < resident / 2) {
        while (clock64() - start < BEFORE)
            ;
        return;
    }
    if (threadIdx.x == 0)
        number = atomicAdd(&began[sm], 1);
    __syncthreads();
    if (number >= resident) // the SM is full without it
        return;
    while (*(volatile unsigned *)&began[sm] < resident)
        if (clock64() - start > PATIENCE)
            return;
    for (start = clock64(); clock64() - start < BEFORE;)
        ;
#pragma unroll
    for (unsigned i = 0; i < REQUESTS; i++) {
        if (arithmetic)
#pragma unroll
            for (int step = 0; step < STEPS; step++)
                asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(sums[step % 2]));
        else
            issue<GLOBAL_STORE>(0, global + i);
        at[i] = clock();
    }
    for (start = clock64(); clock64() - start < AFTER;)
        ;
    for (unsigned i = 0; i < REQUESTS && lane == 0; i++)
        notes[warp * REQUESTS + i] = {sm * SCHEDULERS + slot % SCHEDULERS, at[i],
                                      is_new ? warp + gridDim.x * warps : warp, i + 1};
    if (sums[0] + sums[1] == 0)
        *memory = 0;
}

// Of the pairs of a scheduler's old warps and its new ones, the share of which the old one was earlier in the mean.
static double older_first(struct note *notes, unsigned count, unsigned all)
{
    double sums[2 * SM_THREADS / WARP], first = 0, pairs = 0;
    qsort(notes, count, sizeof *notes, compare_notes);
    for (unsigned begin = 0, end; begin < count; begin = end) {
        unsigned seen[2 * SM_THREADS / WARP], warps = 0;
        for (end = begin; end < count && notes[end].scheduler == notes[begin].scheduler; end++) {
            unsigned w = 0;
            while (w < warps && seen[w] != notes[end].warp)
                w++;
            if (w == warps) {
                seen[warps++] = notes[end].warp;
                sums[w] = 0;
            }
            sums[w] += end - begin;
        }
        for (unsigned old = 0; old < warps; old++)
            for (unsigned late = 0; seen[old] < all && late < warps; late++)
                if (seen[late] >= all) {
                    first += sums[old] < sums[late];
                    pairs++;
                }
    }
    if (pairs == 0) {
        fprintf(stderr, "no SM had old and new blocks at a time\n");
        exit(1);
    }
    return first / pairs;
}

static void measure_age(float *memory, unsigned warps, unsigned blocks, bool arithmetic)
{
    enum { SM_IDS = 1024 }; // %smid may leave numbers out
    const unsigned grid = 2 * multiprocessors() * blocks, all = grid * warps,
                   count = all * REQUESTS,
                   shared = shared_of_block(blocks) - 1024; // beside the block's own variables
    struct note *notes, *host = (struct note *)host_memory(count * sizeof *host);
    unsigned *began;
    CHECK(cudaMalloc(&notes, count * sizeof *notes));
    CHECK(cudaMalloc(&began, SM_IDS * sizeof *began));
    CHECK(cudaFuncSetAttribute(take_turns_by_age, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               shared));
    double share = median([=] {
        CHECK(cudaMemset(notes, 0, count * sizeof *notes));
        CHECK(cudaMemset(began, 0, SM_IDS * sizeof *began));
        take_turns_by_age<<<grid, warps * WARP, shared>>>(memory, notes, began, blocks, arithmetic);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, notes, count * sizeof *host, cudaMemcpyDeviceToHost));
        unsigned noted = 0;
        for (unsigned i = 0; i < count; i++)
            if (host[i].number)
                host[noted++] = host[i];
        return older_first(host, noted, all);
    });
    report(share, "pairs", "%s_of_%u_warps_%u_blocks_older_first", arithmetic ? "issue" : "turns",
           warps, blocks);
    CHECK(cudaFree(notes));
    CHECK(cudaFree(began));
    free(host);
}

int main(void)
{
    wake_up();
    float *memory;
    CHECK(cudaMalloc(&memory, (size_t)ALL * WARP * LINE_BYTES));
    CHECK(cudaMemset(memory, 0, (size_t)ALL * WARP * LINE_BYTES));
    measure<SHARED_STORE, SHARED_STORE>(memory, "shared_store_queue");
    measure<SHARED_LOAD, SHARED_LOAD>(memory, "shared_load_queue");
    measure<GLOBAL_STORE, GLOBAL_STORE>(memory, "global_store_queue");
    measure<GLOBAL_LOAD, GLOBAL_LOAD>(memory, "global_load_queue");
    measure<SHARED_STORE, GLOBAL_STORE>(memory, "store_beside_shared_store_queue");
    measure<SHARED_LOAD, GLOBAL_STORE>(memory, "store_beside_shared_load_queue");
    measure<SHARED_STORE, GLOBAL_LOAD>(memory, "load_beside_shared_store_queue");
    measure<SHARED_LOAD, GLOBAL_LOAD>(memory, "load_beside_shared_load_queue");
    measure<GLOBAL_STORE, GLOBAL_LOAD>(memory, "load_beside_store_queue");
    measure<SHARED_STORE, SHARED_LOAD>(memory, "shared_load_beside_shared_store_queue");
    measure<COPY, COPY>(memory, "copy_queue");
    measure<COPY, SHARED_STORE>(memory, "copy_beside_shared_store_queue");
    measure<COPY, GLOBAL_LOAD>(memory, "copy_beside_load_queue");
    measure_interval<SHARED_STORE>(memory, "shared_store");
    measure_interval<SHARED_LOAD>(memory, "shared_load");
    measure_interval<GLOBAL_STORE>(memory, "global_store");
    measure_interval<GLOBAL_LOAD>(memory, "global_load");
    for (int ways = 1; ways <= WARP; ways *= 32)
        for (int lines = 1; lines <= WARP; lines *= 32)
            measure_turns(memory, ways, lines);
    measure_turns(memory, 8, 8);
    for (unsigned warps : {4u, 16u, 32u})
        for (unsigned blocks : {64 / warps, 32 / warps})
            measure_order(memory, warps, blocks);
    for (bool arithmetic : {false, true})
        for (unsigned blocks : {8u, 2u})
            measure_age(memory, 32 / blocks, blocks, arithmetic);
    return 0;
}
