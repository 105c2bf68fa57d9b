// What warps wait for that begin while others store and end: for their special register, and for a word that hits the L2.
// Each warp reads which thread it is, loads or not, stores a word to each of 32 lines some times, and ends.
#include "micro.h"

enum { IN_L2 = 8 << 20, SAMPLE = 31 }; // bytes; of so many blocks one tells what it waits
enum { STORES = 8192, MOST = 64 };     // requests of an SM; warps of it

struct seen {
    unsigned long long special, load, warps; // cycles, of all of these warps
};

template <bool loads>
__global__ void begin(const float *in, float *out, int stores, struct seen *seen)
{
    unsigned started, known, loaded, thread;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(started) : : "memory");
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread) : : "memory");
    asm volatile("{ .reg .pred wrong; setp.gt.u32 wrong, %1, 1023; @wrong trap;\n"
                 "mov.u32 %0, %%clock; }"
                 : "=r"(known)
                 : "r"(thread)
                 : "memory");
    const size_t lines = IN_L2 / LINE_BYTES, first = (size_t)blockIdx.x * blockDim.x + thread;
    float got = 0;
    loaded = known;
    if (loads) {
        const float *from = in + first * (SECTOR_BYTES / sizeof *in) % (IN_L2 / sizeof *in);
        asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(got) : "l"(from) : "memory");
        loaded = clock_at(got);
    }
    if (blockIdx.x % SAMPLE == 0 && thread % WARP == 0) {
        atomicAdd(&seen->special, known - started);
        atomicAdd(&seen->load, loaded - known);
        atomicAdd(&seen->warps, 1);
    }
    for (int i = 0; i < stores; i++)
        *(volatile float *)(out + (first * stores + i) % lines * LINE_WORDS) = got;
}

// Of the warps that an SM holds, how many are in each wait: the cycles of it, by those in which a warp ends.
template <bool loads>
static void measure(const float *in, float *out, struct seen *seen, int warps, int stores,
                    int resident)
{
    struct seen host;
    const unsigned shared = resident * warps == MOST ? 0 : shared_of_block(resident),
                   blocks = multiprocessors() * (STORES / warps / stores);
    CHECK(cudaFuncSetAttribute(begin<loads>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    auto launch = [=] { begin<loads><<<blocks, warps * WARP, shared>>>(in, out, stores, seen); };
    double a_warp = cycles_in(time_ms(launch)) / STORES * stores;
    CHECK(cudaMemset(seen, 0, sizeof *seen));
    launch();
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&host, seen, sizeof host, cudaMemcpyDeviceToHost));
    char name[80];
    snprintf(name, sizeof name, "begin_%s_%d_blocks_%d_warps_%d_stores", loads ? "loads" : "alone",
             resident, warps, stores);
    report(a_warp / stores, "cycles/store", "%s", name);
    report((double)host.special / host.warps / a_warp, "warps", "%s_special", name);
    if (loads)
        report((double)host.load / host.warps / a_warp, "warps", "%s_load", name);
}

int main(void)
{
    wake_up();
    float *in, *out;
    struct seen *seen;
    CHECK(cudaMalloc(&in, IN_L2));
    CHECK(cudaMalloc(&out, IN_L2));
    CHECK(cudaMalloc(&seen, sizeof *seen));
    CHECK(cudaMemset(in, 0, IN_L2));
    for (int warps : {2, 8, 32})
        for (int stores : {1, 2, 4})
            for (int resident : {MOST / 4 / warps, MOST / 2 / warps, MOST / warps}) {
                if (!resident)
                    continue;
                measure<false>(in, out, seen, warps, stores, resident);
                measure<true>(in, out, seen, warps, stores, resident);
            }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(seen));
    return 0;
}
