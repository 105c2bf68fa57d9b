// What L1 has places for: how long an SM takes for a line of which a sector, or all, is loaded, where many more are asked for at
// a time than it holds beside shared memory, of DRAM and of the L2.
#include "micro.h"

enum { WARPS = 32, LOADS = 4, ROUND = WARPS * LOADS * WARP }; // of a block; of a lane; lines
enum { ROUNDS = 256, SMALL = 1 << 22, LARGE = ROUNDS * ROUND * LINE_BYTES }; // of a block; bytes

// A block alone on the GPU. In a round each lane loads words of lines of its own, one of each of so many sectors; the block's
// warps go on to the next together.
template <int sectors>
__global__ void __launch_bounds__(WARPS *WARP) load(const char *in, unsigned bytes, float *sink)
{
    float sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        float got[LOADS * sectors];
#pragma unroll
        for (int i = 0; i < LOADS; i++)
#pragma unroll
            for (int s = 0; s < sectors; s++) {
                const unsigned line = round * ROUND + i * WARPS * WARP + threadIdx.x;
                got[i * sectors + s] =
                    *(const float *)(in + line * LINE_BYTES % bytes + s * SECTOR_BYTES);
            }
#pragma unroll
        for (int i = 0; i < LOADS * sectors; i++)
            sum += got[i];
        __syncthreads();
    }
    if (sum == 0.5f) // which it is not
        *sink = sum;
}

template <int sectors>
static void measure(const char *in, float *sink)
{
    static const struct {
        int shared, l1; // KiB
    } splits[] = {{226, 28}, {190, 60}, {126, 124}, {0, 256}};
    auto kernel = load<sectors>;
    for (auto split : splits)
        for (unsigned bytes : {LARGE, SMALL}) {
            CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       split.shared << 10));
            double ms =
                time_ms([=] { kernel<<<1, WARPS * WARP, split.shared << 10>>>(in, bytes, sink); });
            report(cycles_in(ms) / (ROUNDS * ROUND), "cycles/line", "places_%s_%d_sectors_%d_kib",
                   bytes == LARGE ? "dram" : "l2", sectors, split.l1);
        }
}

int main(void)
{
    wake_up();
    char *in;
    float *sink;
    CHECK(cudaMalloc(&in, LARGE));
    CHECK(cudaMemset(in, 0, LARGE));
    CHECK(cudaMalloc(&sink, sizeof *sink));
    measure<1>(in, sink);
    measure<4>(in, sink);
    CHECK(cudaFree(in));
    CHECK(cudaFree(sink));
    return 0;
}
