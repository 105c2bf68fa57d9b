// How long a sector waits for its last part: warps store words one by one down their lanes' rows, of which as many warps of the
// block as it takes store a sector (with one store each, 4 warps store half of it), with nothing loaded, all loaded before, or
// each word before it is stored, and with blocks that follow each other down the columns, or along the rows. The time between a
// sector's first and last store is the block's own, by its SM's clock; it is noted at a sector's ends only, as each note holds
// its warp up. How many sectors DRAM completes meanwhile, lts__t_sectors_data_ecc tells of the same kernels
// (docs/runs/part-waits.csv).
#include "micro.h"

enum { N = 8192, SECTOR_WORDS = SECTOR_BYTES / 4 }; // rows of N words
enum loads { NOTHING, BEFORE, EACH };

// When a warp had stored the first word of a sector, and the last one, of those that are its own.
struct note {
    unsigned first, last;
};

// Sectors that a warp stores to in a row.
static constexpr __host__ __device__ int sectors_of(int stores)
{
    return stores > SECTOR_WORDS ? stores / SECTOR_WORDS : 1;
}

static __device__ float load_now(const float *from)
{
    float got;
    asm volatile("ld.global.f32 %0, [%1];" : "=f"(got) : "l"(from) : "memory");
    return got;
}

template <int stores, enum loads loads, bool noting>
__global__ void store_columns(float *out, const float *in, bool down, struct note *notes)
{
    const unsigned lane = threadIdx.x % WARP, warps = blockDim.x / WARP,
                   row = (down ? blockIdx.x : blockIdx.y) * WARP + lane,
                   group = (down ? blockIdx.y : blockIdx.x) * warps + threadIdx.x / WARP;
    const size_t block = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
    notes += (block * warps + threadIdx.x / WARP) * sectors_of(stores);
    const float *from = in + (size_t)group * stores * N + row;
    float *to = out + (size_t)row * N + (size_t)group * stores, words[stores] = {};
    struct note noted[sectors_of(stores)] = {};
#pragma unroll
    for (int i = 0; i < stores && loads == BEFORE; i++)
        words[i] = load_now(from + (size_t)i * N);
#pragma unroll
    for (int i = 0; i < stores; i++) {
        if (loads == EACH)
            words[i] = load_now(from + (size_t)i * N);
        asm volatile("st.global.f32 [%0], %1;" ::"l"(to + i), "f"(words[i]) : "memory");
#ifndef SIMULATED
        if (noting && i % SECTOR_WORDS == 0)
            noted[i / SECTOR_WORDS].first = clock();
        if (noting && (i + 1 == stores || (i + 1) % SECTOR_WORDS == 0))
            noted[i / SECTOR_WORDS].last = clock();
#endif
    }
    for (int s = 0; s < sectors_of(stores) && noting && lane == 0; s++)
        notes[s] = noted[s];
}

// From the first of the warps' stores to the last one.
static unsigned cycles_between(const struct note *notes, int warps)
{
    unsigned first = 0, last = 0, begin = notes->first;
    for (int w = 0; w < warps; w++) {
        if ((int)(notes[w].first - begin - first) < 0)
            first = notes[w].first - begin;
        if ((int)(notes[w].last - begin - last) > 0)
            last = notes[w].last - begin;
    }
    return last - first;
}

// Reports the sectors' waits, of which each is that of so many notes side by side.
static void report_waits(const char *name, struct note *notes, int count, int together)
{
    struct note *host = (struct note *)host_memory(count * sizeof *host);
    const int sectors = count / together;
    double *waits = (double *)host_memory(sectors * sizeof *waits);
    double sum = 0;
    CHECK(cudaMemcpy(host, notes, count * sizeof *host, cudaMemcpyDeviceToHost));
    for (int s = 0; s < sectors; s++)
        sum += waits[s] = cycles_between(host + (size_t)s * together, together);
    qsort(waits, sectors, sizeof *waits, compare_doubles);
    report(sum / sectors, "cycles", "%s_waits", name);
    report(waits[sectors / 10 * 9], "cycles", "%s_waits_of_9_in_10", name);
    free(waits);
    free(host);
}

template <int stores, enum loads loads>
static void measure(float *out, const float *in, struct note *notes, int resident, int warps,
                    bool down)
{
    static const char *const what[] = {"", "_loads_before", "_loads_each"};
    const int threads = warps * WARP, shared = shared_to_fill(resident, threads, 0),
              rows = N / WARP, groups = N / stores / warps,
              sharing = stores < SECTOR_WORDS ? SECTOR_WORDS / stores : 1;
    const dim3 grid(down ? rows : groups, down ? groups : rows);
    char name[64];
    snprintf(name, sizeof name, "part_waits_%d_stores%s_%dx%d_warps_%s", stores, what[loads],
             resident, warps, down ? "down" : "along");
    CHECK(cudaFuncSetAttribute(store_columns<stores, loads, false>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double ms = time_ms([=] {
        store_columns<stores, loads, false><<<grid, threads, shared>>>(out, in, down, notes);
    });
    report(4e-6 * N * N / ms, "GB/s", "%s", name);
    if (!HAS_CLOCK)
        return;
    CHECK(cudaFuncSetAttribute(store_columns<stores, loads, true>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    store_columns<stores, loads, true><<<grid, threads, shared>>>(out, in, down, notes);
    CHECK(cudaGetLastError());
    report_waits(name, notes, rows * (N / stores) * sectors_of(stores),
                 sharing < warps ? sharing : warps);
}

template <int stores, enum loads loads>
static void measure_both(float *out, const float *in, struct note *notes, int resident, int warps)
{
    measure<stores, loads>(out, in, notes, resident, warps, true);
    measure<stores, loads>(out, in, notes, resident, warps, false);
}

template <int stores>
static void measure_all(float *out, const float *in, struct note *notes, int resident, int warps)
{
    measure_both<stores, NOTHING>(out, in, notes, resident, warps);
    measure_both<stores, BEFORE>(out, in, notes, resident, warps);
}

int main(void)
{
    float *in, *out;
    struct note *notes;
    const size_t bytes = (size_t)N * N * sizeof *in;
    wake_up();
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMalloc(&notes, (size_t)N / WARP * N * sizeof *notes));
    CHECK(cudaMemset(in, 0, bytes));
    measure_all<1>(out, in, notes, 16, 4);
    measure_all<1>(out, in, notes, 8, 8);
    measure_all<1>(out, in, notes, 2, 32);
    measure_all<4>(out, in, notes, 16, 4);
    measure_all<8>(out, in, notes, 16, 4);
    measure_all<8>(out, in, notes, 32, 1);
    measure_all<8>(out, in, notes, 16, 1);
    measure_all<16>(out, in, notes, 32, 2);
    measure_all<32>(out, in, notes, 16, 1);
    measure_both<4, EACH>(out, in, notes, 16, 4);
    measure_both<8, EACH>(out, in, notes, 16, 4);
    measure_both<8, EACH>(out, in, notes, 32, 1);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(notes));
}
