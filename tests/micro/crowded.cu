// Rows of 128 bytes that all SMs load at a time, or copy, by how many, where they begin in their lines, how they are loaded, and
// what shared memory leaves of L1: with 28 KiB, rows that cross lines, and need places for two, wait where as many whole lines
// do not.
#include "micro.h"

enum { THREADS = 128, WARPS = THREADS / WARP, EACH = 8 }; // rows that a warp has on their way
// Of the matrix: words from a row to the next, columns of 32 words, and rows.
enum { PITCH = 10048, COLUMNS = 312, ROWS = 4096 };
// Words that a lane copies at once past L1, to shared memory, and lanes to a row then.
enum { VECTOR = 4, A_ROW = LINE_WORDS / VECTOR };

enum kind { LOADED, LOADED_PAST_L1, COPIED, COPIED_TO_SHARED, COPIED_TO_SHARED_PAST_L1 };
static const char *const names[] = {"loaded", "loaded_past_l1", "copied", "copied_to_shared",
                                    "copied_to_shared_past_l1"};

// A word, or past L1, which takes no fewer, 16 bytes.
template <bool past_l1>
static __device__ void copy_to_shared(float *to, const float *from)
{
    const unsigned shared = (unsigned)__cvta_generic_to_shared(to);
    if (past_l1)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared), "l"(from)
                     : "memory");
}

// A warp's rows, below each other, from a corner on, by way of registers; `to` takes them if they are copied. Returns their sum.
template <kind what>
static __device__ float load_rows(float *to, const float *from)
{
    const int lane = threadIdx.x % WARP;
    float words[EACH], sum = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        const float *word = from + (size_t)i * PITCH + lane;
        words[i] = what == LOADED_PAST_L1 ? __ldcg(word) : *word;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (what == COPIED)
            to[(size_t)i * PITCH + lane] = words[i];
        sum += words[i];
    }
    return sum;
}

// The same, copied to shared memory. Returns one of the words.
template <kind what>
static __device__ float copy_rows(float kept[EACH][LINE_WORDS], const float *from)
{
    const int lane = threadIdx.x % WARP, row = lane / A_ROW, column = lane % A_ROW * VECTOR;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (what == COPIED_TO_SHARED)
            copy_to_shared<false>(&kept[i][lane], from + (size_t)i * PITCH + lane);
        else if (i % (WARP / A_ROW) == 0)
            copy_to_shared<true>(&kept[i + row][column], from + (size_t)(i + row) * PITCH + column);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncwarp();
    const float word = kept[0][lane];
    __syncwarp();
    return word;
}

template <kind what>
__global__ void __launch_bounds__(THREADS) move(float *out, const float *in)
{
    __shared__ __align__(16) float kept[WARPS][EACH][LINE_WORDS];
    const int warp = threadIdx.x / WARP, all = ROWS / EACH * COLUMNS;
    float sum = 0;
    for (int i = blockIdx.x * WARPS + warp; i < all; i += gridDim.x * WARPS) {
        const size_t at = (size_t)(i / COLUMNS * EACH) * PITCH + i % COLUMNS * LINE_WORDS;
        if (what == COPIED_TO_SHARED || what == COPIED_TO_SHARED_PAST_L1)
            sum += copy_rows<what>(kept[warp], in + at);
        else
            sum += load_rows<what>(out + at, in + at);
    }
    if (sum == 0.5f) // which it is not
        *out = sum;
}

template <kind what>
static void measure(float *out, const float *in)
{
    static const struct {
        int carveout, l1; // percent that is shared memory, KiB that are left
    } splits[] = {{100, 28}, {50, 124}};
    auto kernel = move<what>;
    for (auto split : splits) {
        CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                   split.carveout));
        for (int blocks : {2, 4, 16})
            for (int first : {0, (int)SECTOR_BYTES, 2 * (int)SECTOR_BYTES}) {
                double ms = time_ms([=] {
                    kernel<<<multiprocessors() * blocks, THREADS>>>(out, in + first / sizeof *in);
                });
                report(1e-6 * ROWS * COLUMNS * LINE_BYTES * (what == COPIED ? 2 : 1) / ms, "GB/s",
                       "crowded_%d_rows_%s_from_%d_%d_kib", blocks * WARPS * EACH, names[what],
                       first, split.l1);
            }
    }
}

int main(void)
{
    wake_up();
    float *in, *out;
    const size_t bytes = (size_t)ROWS * PITCH * sizeof *in;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    measure<LOADED>(out, in);
    measure<LOADED_PAST_L1>(out, in);
    measure<COPIED>(out, in);
    measure<COPIED_TO_SHARED>(out, in);
    measure<COPIED_TO_SHARED_PAST_L1>(out, in);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
