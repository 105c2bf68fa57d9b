// For how long the load/store unit is busy with requests to global memory, which then wait elsewhere for their way out of the SM:
// by how much fewer shared requests it serves beside them than alone, each of which takes it a cycle a wavefront. And whether
// loads and stores share that way.
#include "micro.h"

enum { WARPS = 32, SHARED_WARPS = 28, WAYS = 8, AT_ONCE = 4, LONG = 400000 /* cycles */ };
enum { BYTES = 16 << 20 }; // which the L2 holds
enum kind { L1_LOAD, L2_LOAD, STORE };
static const char *const names[] = {"l1_load", "l2_load", "store"};

// Requests of words in so many lines side by side, other ones each time where L1 is not to have them. Returns how many.
template <enum kind kind>
static __device__ unsigned ask(char *memory, unsigned lines, unsigned start, float *sum)
{
    const unsigned lane = threadIdx.x % WARP, words = WARP / lines, own = lines * LINE_BYTES,
                   warp = blockIdx.x * WARPS + threadIdx.x / WARP,
                   step = kind == L1_LOAD ? 0 : gridDim.x * WARPS * own;
    unsigned at = (kind == L1_LOAD ? 0 : warp * own % BYTES) + lane / words * LINE_BYTES +
                  lane % words * (unsigned)sizeof(float),
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
    compete(char *memory, unsigned lines, unsigned others, unsigned *counts)
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
        count = ask<kind>(memory, lines, start, &sum);
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
static void measure(char *memory, unsigned lines, unsigned warps)
{
    double cycles = median([=] {
        const auto beside = [=](unsigned others) {
            return counted([=](unsigned *counts) {
                compete<kind><<<multiprocessors(), WARPS * WARP>>>(memory, lines, others, counts);
            });
        };
        struct counts none = beside(0), some = beside(warps);
        return WAYS * ((double)none.of[0] - some.of[0]) / some.of[1];
    });
    report(cycles, "cycles/request", "unit_%s_%u_lines_%u_warps", names[kind], lines, warps);
}

enum { LINES_LOADED = 8 }; // a request

// On one SM half of the warps load lines that the L2 has, and half store so many a request; `kinds`: 1 if they load, and 2 more if
// they store.
static __global__ void __launch_bounds__(WARPS *WARP)
    share_way(char *memory, unsigned lines, unsigned kinds, unsigned *counts)
{
    const unsigned start = (unsigned)clock(), is_store = threadIdx.x / WARP % 8 / 4;
    float sum = 0;
    unsigned count = 0;
    if (kinds >> is_store & 1)
        count = is_store ? ask<STORE>(memory, lines, start, &sum) * lines
                         : ask<L2_LOAD>(memory, LINES_LOADED, start, &sum) * LINES_LOADED;
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
            share_way<<<1, WARPS * WARP>>>(memory, lines, kinds, counts);
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
            measure<L1_LOAD>(memory, lines, warps);
            measure<L2_LOAD>(memory, lines, warps);
            measure<STORE>(memory, lines, warps);
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
