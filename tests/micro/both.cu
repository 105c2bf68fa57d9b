// What copies take that keep the L2 busy beside DRAM: of four parts of what a warp copies, so many are stored by halves of
// sectors, or loaded by single sectors, which takes the L2 longer, and DRAM as long as ever. The same of few bytes, which the L2
// has: what it takes alone.
#include "micro.h"

enum { WARPS = 8, PARTS = 4, REQUESTS = 4, WORD = sizeof(float4) };
enum { PART = REQUESTS * WARP * WORD, LARGE = 1 << 28, SMALL = 1 << 23 }; // bytes

// Where in a part a lane loads, by that request of it: 4 lines, or a sector each of 16.
template <bool by_sectors>
static __device__ unsigned loaded(unsigned request, unsigned lane)
{
    const unsigned lanes = SECTOR_BYTES / WORD;
    return by_sectors ? lane / lanes * LINE_BYTES + request * SECTOR_BYTES + lane % lanes * WORD
                      : (request * WARP + lane) * WORD;
}

// Where it stores: to 4 lines, or the first, or the second halves of 8 lines' sectors.
template <bool by_halves>
static __device__ unsigned stored(unsigned request, unsigned lane)
{
    return by_halves ? (request / 2 * WARP + lane) * SECTOR_BYTES + request % 2 * WORD
                     : (request * WARP + lane) * WORD;
}

// Each warp moves so many bytes; what is loaded from where is no matter.
template <int halves, int sectors>
__global__ void __launch_bounds__(WARPS *WARP) copy(const char *in, char *out, unsigned bytes)
{
    const unsigned lane = threadIdx.x % WARP, warp = blockIdx.x * WARPS + threadIdx.x / WARP,
                   first = warp * PARTS * PART % bytes;
    float4 got[PARTS][REQUESTS];
#pragma unroll
    for (int part = 0; part < PARTS; part++)
#pragma unroll
        for (int i = 0; i < REQUESTS; i++)
            got[part][i] = *(
                const float4 *)(in + first + part * PART +
                                (part < sectors ? loaded<true>(i, lane) : loaded<false>(i, lane)));
#pragma unroll
    for (int part = 0; part < PARTS; part++)
#pragma unroll
        for (int i = 0; i < REQUESTS; i++)
            *(float4 *)(out + first + part * PART +
                        (part < halves ? stored<true>(i, lane) : stored<false>(i, lane))) =
                got[part][i];
}

template <int halves, int sectors>
static void measure(const char *in, char *out)
{
    const unsigned grid = LARGE / (WARPS * PARTS * PART);
    for (unsigned bytes : {LARGE, SMALL}) {
        double ms = time_ms([=] { copy<halves, sectors><<<grid, WARPS * WARP>>>(in, out, bytes); });
        report(1e3 * ms, "us", "both_%s_%d_by_halves_%d_by_sectors", bytes == LARGE ? "dram" : "l2",
               halves, sectors);
    }
}

int main(void)
{
    wake_up();
    char *in, *out;
    CHECK(cudaMalloc(&in, LARGE));
    CHECK(cudaMalloc(&out, LARGE));
    CHECK(cudaMemset(in, 0, LARGE));
    measure<0, 0>(in, out);
    measure<1, 0>(in, out);
    measure<2, 0>(in, out);
    measure<3, 0>(in, out);
    measure<4, 0>(in, out);
    measure<0, 2>(in, out);
    measure<0, 4>(in, out);
    measure<2, 2>(in, out);
    measure<4, 4>(in, out);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
