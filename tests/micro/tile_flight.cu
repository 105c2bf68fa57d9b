// Copies of tiles: what DRAM makes of how much is on its way at a time where a block's lines are in rows of their own, as a
// transpose's are, and not next to each other (flight.cu). Tiles are a line wide, and go along the rows; what is stored
// goes along the rows, too, or down the columns. By the accesses of a thread, threads of a block and blocks of an SM.
#include "micro.h"

enum { SIDE = 8192, ACROSS = SIDE / WARP }; // words of a row, and tiles

// Each warp moves lines of the tile. Where the block meets, words go through shared memory, and another warp stores them.
template <int each, bool meets>
__global__ void move(const float *in, float *out, bool down_columns)
{
    extern __shared__ float words[];
    const unsigned warps = blockDim.x / WARP, height = warps * each, down = SIDE / height,
                   warp = threadIdx.x / WARP, lane = threadIdx.x % WARP,
                   x = (down_columns ? blockIdx.x / down : blockIdx.x % ACROSS) * WARP + lane,
                   y = (down_columns ? blockIdx.x % down : blockIdx.x / ACROSS) * height + warp;
    const float *from = in + (size_t)(blockIdx.x / ACROSS * height + warp) * SIDE +
                        blockIdx.x % ACROSS * WARP + lane;
    float got[each];
#pragma unroll
    for (int i = 0; i < each; i++)
        got[i] = from[(size_t)i * warps * SIDE];
    if (meets)
        pass_on<each>(words, got);
#pragma unroll
    for (int i = 0; i < each; i++)
        out[(size_t)(y + i * warps) * SIDE + x] = got[i];
}

template <int each, bool meets>
static void measure(const float *in, float *out, int threads, int resident)
{
    const unsigned taken = threads * each * sizeof(float),
                   grid = SIDE * ACROSS / (threads / WARP * each),
                   shared = shared_to_fill(resident, threads, meets ? taken : 0);
    auto kernel = move<each, meets>;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (bool down_columns : {false, true}) {
        double ms = time_ms([=] { kernel<<<grid, threads, shared>>>(in, out, down_columns); });
        report(8e-6 * SIDE * SIDE / ms, "GB/s", "tile_flight_%s_%dx4_bytes_%dx%d_threads%s",
               down_columns ? "down" : "along", each, resident, threads, meets ? "_meet" : "");
    }
}

template <int each>
static void measure_all(const float *in, float *out)
{
    for (int threads : {128, 256, 512})
        for (int resident :
             {SM_THREADS / threads, SM_THREADS / threads / 2, SM_THREADS / threads / 4}) {
            measure<each, false>(in, out, threads, resident);
            measure<each, true>(in, out, threads, resident);
        }
}

int main(void)
{
    wake_up();
    float *in, *out;
    CHECK(cudaMalloc(&in, (size_t)SIDE * SIDE * sizeof *in));
    CHECK(cudaMalloc(&out, (size_t)SIDE * SIDE * sizeof *out));
    CHECK(cudaMemset(in, 0, (size_t)SIDE * SIDE * sizeof *in));
    measure_all<4>(in, out);
    measure_all<8>(in, out);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
