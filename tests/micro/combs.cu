// What the L2 does for loads that miss it, beside stores of parts of whole lines: blocks side by side store one word in 2, 4 or 8 of
// the same lines, each another one, and load as much from elsewhere, or nothing. A warp's store has a part of each sector of 2, 4 or
// 8 lines; of strips (strips.cu) it has one sector of each line.
#include "micro.h"

enum { THREADS = 256, FEWEST = 4096, MOST = 8192 };

template <int teeth, bool loading>
__global__ void __launch_bounds__(THREADS) store_combs(float *lines, const float *from)
{
    const size_t tooth = blockIdx.x % teeth, comb = blockIdx.x / teeth;
    const float loaded = loading ? from[(size_t)blockIdx.x * THREADS + threadIdx.x] : 0;
    lines[(comb * THREADS + threadIdx.x) * teeth + tooth] = loaded;
}

template <int teeth, bool loading>
static void measure(float *lines, const float *from, int rows)
{
    const unsigned blocks = (unsigned)rows * rows / THREADS;
    double ms = time_ms([=] { store_combs<teeth, loading><<<blocks, THREADS>>>(lines, from); });
    double sectors = (double)rows * rows * sizeof *lines / SECTOR_BYTES;
    report(cycles_in(ms) * multiprocessors() / sectors, "cycles/sector", "combs_%d_teeth%s_%d_rows",
           teeth, loading ? "_loading" : "", rows);
}

template <int teeth>
static void measure_all(float *lines, const float *from)
{
    for (int rows = FEWEST; rows <= MOST; rows *= 2) {
        measure<teeth, false>(lines, from, rows);
        measure<teeth, true>(lines, from, rows);
    }
}

int main(void)
{
    wake_up();
    float *lines, *from;
    CHECK(cudaMalloc(&lines, (size_t)MOST * MOST * sizeof *lines));
    CHECK(cudaMalloc(&from, (size_t)MOST * MOST * sizeof *from));
    measure_all<2>(lines, from);
    measure_all<4>(lines, from);
    measure_all<8>(lines, from);
    CHECK(cudaFree(lines));
    CHECK(cudaFree(from));
    return 0;
}
