// Copies in order: what DRAM and the SMs make of how much is on its way at a time, and of blocks that load all they have,
// meet, and store it. By the bytes of an access, accesses of a thread, threads of a block and blocks of an SM.
#include "micro.h"

enum { BYTES = 1 << 28 }; // of the copy

// Each thread moves so many words; a block's are side by side. Where the block meets, words go through shared memory, and
// another warp's threads store them.
template <typename Word, int each, bool meets>
__global__ void move(const Word *in, Word *out)
{
    extern __shared__ float4 shared[];
    Word got[each];
    const size_t first = (size_t)blockIdx.x * blockDim.x * each;
#pragma unroll
    for (int i = 0; i < each; i++)
        got[i] = in[first + i * blockDim.x + threadIdx.x];
    if (meets)
        pass_on<each>((Word *)shared, got);
#pragma unroll
    for (int i = 0; i < each; i++)
        out[first + i * blockDim.x + threadIdx.x] = got[i];
}

template <typename Word, int each, bool meets>
static void measure(const char *in, char *out, int threads, int resident)
{
    const unsigned taken = threads * each * sizeof(Word), limit = shared_of_block(resident),
                   grid = BYTES / taken,
                   shared = shared_to_fill(resident, threads, meets ? taken : 0);
    auto kernel = move<Word, each, meets>;
    if (meets && taken > limit)
        return;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double ms = time_ms([=] { kernel<<<grid, threads, shared>>>((const Word *)in, (Word *)out); });
    report(2e-6 * grid * taken / ms, "GB/s", "flight_%dx%d_bytes_%dx%d_threads%s", each,
           (int)sizeof(Word), resident, threads, meets ? "_meet" : "");
}

template <typename Word, int each>
static void measure_all(const char *in, char *out)
{
    for (int threads : {128, 256, 768})
        for (int resident :
             {SM_THREADS / threads, SM_THREADS / threads / 2, SM_THREADS / threads / 4}) {
            if (!resident)
                continue;
            measure<Word, each, false>(in, out, threads, resident);
            measure<Word, each, true>(in, out, threads, resident);
        }
}

int main(void)
{
    wake_up();
    char *in, *out;
    CHECK(cudaMalloc(&in, BYTES));
    CHECK(cudaMalloc(&out, BYTES));
    CHECK(cudaMemset(in, 0, BYTES));
    measure_all<float, 1>(in, out);
    measure_all<float, 4>(in, out);
    measure_all<float, 12>(in, out);
    measure_all<float4, 1>(in, out);
    measure_all<float4, 2>(in, out);
    measure_all<float4, 4>(in, out);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
