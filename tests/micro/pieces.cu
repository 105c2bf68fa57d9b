// Copies of whole sectors by pieces of rows: how long they take by the rows that a request has, the requests that a warp has on
// their way, on which side of each other these are, in which order blocks come, and how many of them an SM holds.
#include "micro.h"

enum { SIDE = 8192, PITCH = SIDE * 4, WARPS = 4 };
enum { REQUEST = WARP * sizeof(float4) }; // bytes

// How blocks follow each other: along the rows, or down the columns.
enum order { ALONG, DOWN };

// A warp's requests, each of so many rows, lie beside each other or, where `below`, below each other; its block's warps
// beside each other. Where they `meet`, they do so when all have asked for their words, which may come later.
template <int rows, int requests, bool below, bool meet>
__global__ void __launch_bounds__(WARPS *WARP) copy(const char *in, char *out, enum order order)
{
    const unsigned bytes = REQUEST / rows, lanes = WARP / rows,
                   width = below ? bytes : bytes * requests,
                   height = below ? rows * requests : rows, across = PITCH / (WARPS * width),
                   down = SIDE / height, warp = threadIdx.x / WARP, lane = threadIdx.x % WARP,
                   x = order == DOWN ? blockIdx.x / down : blockIdx.x % across,
                   y = order == DOWN ? blockIdx.x % down : blockIdx.x / across,
                   next = below ? rows * PITCH : bytes;
    const size_t first = ((size_t)y * height + lane / lanes) * PITCH + (x * WARPS + warp) * width +
                         lane % lanes * sizeof(float4);
    float4 got[requests];
#pragma unroll
    for (int i = 0; i < requests; i++)
        got[i] = *(const float4 *)(in + first + (size_t)i * next);
    if (meet)
        __syncthreads();
#pragma unroll
    for (int i = 0; i < requests; i++)
        *(float4 *)(out + first + (size_t)i * next) = got[i];
}

template <int rows, int requests, bool below, bool meet = false>
static void measure(const char *in, char *out)
{
    auto kernel = copy<rows, requests, below, meet>;
    const int most = SM_THREADS / (WARPS * WARP);
    for (enum order order : {ALONG, DOWN})
        for (int resident : {most, 3}) {
            const unsigned grid = (size_t)SIDE * PITCH / (WARPS * REQUEST * requests),
                           shared = resident == most ? 0 : shared_of_block(resident);
            CHECK(
                cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
            double ms = time_ms([=] { kernel<<<grid, WARPS * WARP, shared>>>(in, out, order); });
            report(2e-6 * SIDE * PITCH / ms, "GB/s", "pieces_%d_rows_%d_%s_%s%s_%s", rows, requests,
                   below ? "below" : "beside", meet ? "meet_" : "",
                   order == DOWN ? "down" : "along", resident == most ? "full" : "3_blocks");
        }
}

template <int rows>
static void measure_all(const char *in, char *out)
{
    measure<rows, 1, false>(in, out);
    measure<rows, 2, false>(in, out);
    measure<rows, 2, true>(in, out);
    measure<rows, 4, false>(in, out);
    measure<rows, 4, true>(in, out);
    measure<rows, 4, true, true>(in, out);
    measure<rows, 16, false>(in, out);
    measure<rows, 16, true>(in, out);
}

int main(void)
{
    wake_up();
    char *in, *out;
    CHECK(cudaMalloc(&in, (size_t)SIDE * PITCH));
    CHECK(cudaMalloc(&out, (size_t)SIDE * PITCH));
    CHECK(cudaMemset(in, 0, (size_t)SIDE * PITCH));
    measure_all<1>(in, out);
    measure_all<2>(in, out);
    measure_all<4>(in, out);
    measure_all<8>(in, out);
    measure_all<16>(in, out);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
