// For how long the load/store unit is busy with requests to global memory, which then wait elsewhere for their way out of the SM:
// by how much fewer shared requests it serves beside them than alone, each of which takes it a cycle a wavefront: of the first
// words of lines side by side, and of words of rows, by how far these are apart. And whether loads and stores share that way.
#include "micro.h"

enum { WARPS = 32, SHARED_WARPS = 28, WAYS = 8, AT_ONCE = 4, LONG = 400000 /* cycles */ };
enum { BYTES = 16 << 20 }; // which the L2 holds
// Bytes from row to row, where there is room for a line of each of an SM's warps.
enum { FAR = WARPS * LINE_BYTES };
enum kind { L1_LOAD, L2_LOAD, STORE };
static const char *const names[] = {"l1_load", "l2_load", "store"};

// What a request asks for: words side by side of each of some rows, which begin so many bytes apart; and how far from one warp's
// the next one's begin, so that a warp's are others each time, or 0: ptxas does not know then that they are the same.
struct shape {
    unsigned words, apart, own;
};

static struct shape lines_side_by_side(unsigned lines)
{
    return {WARP / lines, LINE_BYTES, lines * LINE_BYTES};
}

// A word of each. Where rows are far from each other warps go along them.
static struct shape words_of_rows(unsigned row_words)
{
    const unsigned apart = row_words * sizeof(float), lines = WARP * apart / LINE_BYTES + 1;
    return {1, apart, (apart < FAR ? lines : 1) * LINE_BYTES};
}

// Such requests, as fast as they can. Returns how many.
template <enum kind kind>
static __device__ unsigned ask(char *memory, struct shape shape, unsigned start, float *sum)
{
    const unsigned lane = threadIdx.x % WARP, warp = blockIdx.x * WARPS + threadIdx.x / WARP,
                   step = gridDim.x * WARPS * shape.own;
    unsigned at = (warp * shape.own + lane / shape.words * shape.apart +
                   lane % shape.words * (unsigned)sizeof(float)) %
                  BYTES,
             count = 0;
    for (; (unsigned)clock() - start < LONG; count += AT_ONCE) {
        float got[AT_ONCE] = {};
#pragma unroll
        for (int i = 0; i < AT_ONCE; i++, at = (at + step) % BYTES) {
            char *place = memory + at;
            if (kind == L1_LOAD)
                asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(got[i]) : "l"(place) : "memory");
            if (kind == L2_LOAD)
                asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(got[i]) : "l"(place) : "memory");
            if (kind == STORE)
                asm volatile("st.global.f32 [%0], %1;" ::"l"(place), "f"(1.0f) : "memory");
        }
        for (int i = 0; i < AT_ONCE; i++)
            *sum += got[i];
    }
    return count;
}

// Most of an SM's warps load from shared memory, WAYS wavefronts a request, and the first `others` of the rest ask for global
// memory. Counts the requests of both.
template <enum kind kind>
static __global__ void __launch_bounds__(WARPS *WARP)
    compete(char *memory, struct shape shape, unsigned others, unsigned *counts)
{
    __shared__ float words[WARP * WARP];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    float sum = 0;
    unsigned count = 0;
    words[threadIdx.x] = 0;
    __syncthreads();
    const unsigned start = (unsigned)clock();
    if (warp < SHARED_WARPS) {
        const volatile float *word = words + lane / (WARP / WAYS) * WARP + lane % (WARP / WAYS);
        for (; (unsigned)clock() - start < LONG; count += AT_ONCE) {
            float got[AT_ONCE];
            for (int i = 0; i < AT_ONCE; i++)
                got[i] = *word;
            for (int i = 0; i < AT_ONCE; i++)
                sum += got[i];
        }
    } else if (warp < SHARED_WARPS + others) {
        count = ask<kind>(memory, shape, start, &sum);
    }
    if (lane == 0)
        atomicAdd(&counts[warp >= SHARED_WARPS], count);
    if (sum == 0.5f)
        *(float *)memory = sum;
}

// What a launch counts of two kinds.
struct counts {
    unsigned of[2];
};

template <typename Launch>
static struct counts counted(Launch launch)
{
    struct counts host, *device;
    CHECK(cudaMalloc(&device, sizeof host));
    CHECK(cudaMemset(device, 0, sizeof host));
    launch(device->of);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device));
    return host;
}

// Beside so many warps, each of a scheduler of its own.
template <enum kind kind>
static double unit_cycles(char *memory, struct shape shape, unsigned warps)
{
    if (kind == L1_LOAD)
        shape.own = 0;
    return median([=] {
        const auto beside = [=](unsigned others) {
            return counted([=](unsigned *counts) {
                compete<kind><<<multiprocessors(), WARPS * WARP>>>(memory, shape, others, counts);
            });
        };
        struct counts none = beside(0), some = beside(warps);
        return WAYS * ((double)none.of[0] - some.of[0]) / some.of[1];
    });
}

template <enum kind kind>
static void measure_lines(char *memory, unsigned lines, unsigned warps)
{
    report(unit_cycles<kind>(memory, lines_side_by_side(lines), warps), "cycles/request",
           "unit_%s_%u_lines_%u_warps", names[kind], lines, warps);
}

template <enum kind kind>
static void measure_rows(char *memory, unsigned row_words)
{
    report(unit_cycles<kind>(memory, words_of_rows(row_words), 1), "cycles/request",
           "unit_%s_rows_of_%u_words", names[kind], row_words);
}

enum { LINES_LOADED = 8 }; // a request

// On one SM half of the warps load lines that the L2 has, and half store so many a request; `kinds`: 1 if they load, and 2 more if
// they store.
static __global__ void __launch_bounds__(WARPS *WARP)
    share_way(char *memory, struct shape loaded, struct shape stored, unsigned kinds,
              unsigned *counts)
{
    const unsigned start = (unsigned)clock(), is_store = threadIdx.x / WARP % 8 / 4;
    float sum = 0;
    unsigned count = 0;
    if (kinds >> is_store & 1)
        count = is_store ? ask<STORE>(memory, stored, start, &sum) * (WARP / stored.words)
                         : ask<L2_LOAD>(memory, loaded, start, &sum) * (WARP / loaded.words);
    if (threadIdx.x % WARP == 0)
        atomicAdd(&counts[is_store], count);
    if (sum == 0.5f)
        *(float *)memory = sum;
}

// Lines a cycle that are loaded, or stored.
static void measure_way(char *memory, unsigned lines, unsigned kinds, bool stored, const char *name)
{
    double rate = median([=] {
        struct counts lines_moved = counted([=](unsigned *counts) {
            share_way<<<1, WARPS * WARP>>>(memory, lines_side_by_side(LINES_LOADED),
                                           lines_side_by_side(lines), kinds, counts);
        });
        return (double)lines_moved.of[stored] / LONG;
    });
    report(rate, "lines/cycle", "way_out_%s_%u_lines", name, lines);
}

int main(void)
{
    enum { LOADS = 1, STORES = 2 };
    wake_up();
    char *memory;
    CHECK(cudaMalloc(&memory, BYTES));
    CHECK(cudaMemset(memory, 0, BYTES));
    for (unsigned lines : {1u, 2u, 4u, 8u, 16u})
        for (unsigned warps : {1u, 4u}) {
            measure_lines<L1_LOAD>(memory, lines, warps);
            measure_lines<L2_LOAD>(memory, lines, warps);
            measure_lines<STORE>(memory, lines, warps);
        }
    for (unsigned row_words : {32u, 33u, 36u, 40u, 48u, 10007u, 10008u, 10016u}) {
        measure_rows<L1_LOAD>(memory, row_words);
        measure_rows<L2_LOAD>(memory, row_words);
        measure_rows<STORE>(memory, row_words);
    }
    measure_way(memory, LINES_LOADED, LOADS, false, "loaded_alone");
    for (unsigned lines : {1u, 8u}) {
        measure_way(memory, lines, STORES, true, "stored_alone");
        measure_way(memory, lines, LOADS | STORES, false, "loaded_beside_stores");
        measure_way(memory, lines, LOADS | STORES, true, "stored_beside_loads");
    }
    CHECK(cudaFree(memory));
    return 0;
}
