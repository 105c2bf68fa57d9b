// Threads that store the words of a patch one by one: a warp comes back to its sectors with the next word, at once or after a
// load, along a row or down the columns of a matrix, and the L2 has to keep them till all words are there.
#include "micro.h"

enum { N = 8192, GROUPS = N / WARP }; // rows of N words; groups of 32 rows
enum { KEPT = 1 << 20 };              // words that are loaded

// A warp's patches are side by side in a row, or below each other; the warps go on along the row, or down.
template <int words, bool loads, bool down>
__global__ void store_patches(float *out, const float *in)
{
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread % WARP,
                   warp = thread / WARP;
    const size_t row = (size_t)(warp % GROUPS) * WARP + lane, column = warp / GROUPS * words;
    float *to = out + (down ? row * N + column : (size_t)thread * words), word = 1;
#pragma unroll
    for (unsigned i = 0; i < words; i++) {
        if (loads) {
            float got;
            asm volatile("ld.global.f32 %0, [%1];"
                         : "=f"(got)
                         : "l"(in + (thread + i * (KEPT / 16)) % KEPT)
                         : "memory");
            word = got == 0.5f ? 2 : 1; // what is stored waits for it
        }
        asm volatile("st.global.f32 [%0], %1;" ::"l"(to + i), "f"(word) : "memory");
    }
}

template <int words, bool loads, bool down>
static void measure(float *out, const float *in, int threads, int resident)
{
    const unsigned blocks = (unsigned)((size_t)N * N / words / threads),
                   shared = shared_to_fill(resident, threads, 0);
    CHECK(cudaFuncSetAttribute(store_patches<words, loads, down>,
                               cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double ms =
        time_ms([=] { store_patches<words, loads, down><<<blocks, threads, shared>>>(out, in); });
    report(4e-6 * N * N / ms, "GB/s", "patches_%s_%d_words%s_%dx%d_threads",
           down ? "down" : "along", words, loads ? "_loads" : "", resident, threads);
}

int main(void)
{
    wake_up();
    float *in, *out;
    CHECK(cudaMalloc(&in, KEPT * sizeof *in));
    CHECK(cudaMemset(in, 0, KEPT * sizeof *in));
    CHECK(cudaMalloc(&out, (size_t)N * N * sizeof *out));
    for (int resident : {8, 2, 1}) {
        measure<4, false, false>(out, in, 256, resident);
        measure<4, true, false>(out, in, 256, resident);
        measure<8, false, false>(out, in, 256, resident);
        measure<8, true, false>(out, in, 256, resident);
        measure<4, false, true>(out, in, 256, resident);
        measure<4, true, true>(out, in, 256, resident);
        measure<8, false, true>(out, in, 256, resident);
        measure<8, true, true>(out, in, 256, resident);
    }
    measure<2, true, false>(out, in, 256, 8);
    measure<4, true, false>(out, in, 512, 4);
    measure<4, true, false>(out, in, 64, 32);
    measure<8, true, true>(out, in, 64, 32);
    measure<8, false, true>(out, in, 64, 32);
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    return 0;
}
