// Loads and stores that come to the L2 at the same time: cycles that an SM needs for what a warp does in a turn, some loads
// and some stores, when all SMs do. A load's lanes share so many lines, whole ones or a sector of each; a store's lanes store
// a word to each of 32 lines, or 16 bytes each to 4.
#include "micro.h"

enum { THREADS = 256, BLOCKS = 4, TURNS = 64 }; // of a block; of an SM; of a warp
enum { WARPS = THREADS / WARP, PAGE = WARP * LINE_WORDS, LINE_SECTORS = LINE_BYTES / SECTOR_BYTES };
enum { REGIONS = 32, PAGES = 4 }; // of what is loaded: of blocks; of each of their warps

// Where a lane loads a word in a warp's request of that number: all sectors of its pages, one after the other.
template <int lines>
static __device__ const float *place(const float *pages, unsigned number)
{
    const unsigned lane = threadIdx.x % WARP, sector = lines == WARP ? number % LINE_SECTORS : 0,
                   first = lines == WARP ? number / LINE_SECTORS * WARP : number * lines,
                   line = first + lane * lines / WARP,
                   word = lines == WARP ? 0 : lane % (WARP / lines);
    return pages + (line % (PAGES * WARP)) * LINE_WORDS + sector * (LINE_WORDS / LINE_SECTORS) +
           word;
}

// Stores of 4 bytes go to a sector each of 32 lines, the next one to their next sectors; those of 16 bytes to 4 lines.
template <int loads, int load_lines, int stores, typename Word>
__global__ void __launch_bounds__(THREADS) mix(const float *in, float *out)
{
    constexpr bool is_wide = sizeof(Word) > sizeof(float);
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const float *pages = in + (blockIdx.x % REGIONS * WARPS + warp) * (size_t)(PAGES * PAGE);
    float *to =
        out + (blockIdx.x * WARPS + warp) * (size_t)PAGE + lane * (is_wide ? 4 : LINE_WORDS);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        float got[loads + 1] = {}, sum = 0;
#pragma unroll
        for (int i = 0; i < loads; i++)
            asm volatile("ld.global.cg.f32 %0, [%1];"
                         : "=f"(got[i])
                         : "l"(place<load_lines>(pages, turn * loads + i))
                         : "memory");
#pragma unroll
        for (int i = 0; i < stores; i++)
            __stcg((Word *)(to + i * (is_wide ? 4 * LINE_WORDS : LINE_WORDS / LINE_SECTORS)),
                   Word());
#pragma unroll
        for (int i = 0; i < loads; i++)
            sum += got[i];
        if (sum == 0.5f) // the next turn waits for what was loaded
            break;
    }
}

template <int loads, int load_lines, int stores, typename Word>
static void measure(const float *in, float *out)
{
    const int blocks = BLOCKS * multiprocessors(),
              store_lines = sizeof(Word) == sizeof(float) ? WARP : 4;
    double ms =
        time_ms([=] { mix<loads, load_lines, stores, Word><<<blocks, THREADS>>>(in, out); });
    report(cycles_in(ms) / TURNS / (BLOCKS * WARPS), "cycles",
           "mix_%dx%d_lines_loaded_%dx%d_stored", loads, load_lines, stores, store_lines);
}

int main(void)
{
    wake_up();
    float *in, *out;
    const size_t in_bytes = (size_t)REGIONS * WARPS * PAGES * PAGE * sizeof *in,
                 out_bytes = (size_t)multiprocessors() * BLOCKS * WARPS * PAGE * sizeof *out;
    CHECK(cudaMalloc(&in, in_bytes));
    CHECK(cudaMemset(in, 0, in_bytes));
    CHECK(cudaMalloc(&out, out_bytes));
    CHECK(cudaMemset(out, 0, out_bytes));
    measure<4, 32, 0, float>(in, out);
    measure<0, 32, 4, float>(in, out);
    measure<1, 32, 4, float>(in, out);
    measure<2, 32, 4, float>(in, out);
    measure<4, 32, 4, float>(in, out);
    measure<4, 32, 1, float>(in, out);
    measure<8, 32, 1, float>(in, out);
    measure<0, 32, 4, float4>(in, out);
    measure<1, 32, 4, float4>(in, out);
    measure<2, 32, 4, float4>(in, out);
    measure<4, 32, 4, float4>(in, out);
    measure<4, 32, 1, float4>(in, out);
    measure<8, 32, 4, float4>(in, out);
    measure<8, 1, 0, float>(in, out);
    measure<8, 1, 4, float>(in, out);
    measure<8, 1, 4, float4>(in, out);
    measure<16, 1, 4, float4>(in, out);
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    return 0;
}
