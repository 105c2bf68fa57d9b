// How unlike the paces are at which blocks go that run to the kernel's end, each with the same work: as where a loop in each
// of few blocks goes over all of a matrix. They copy in order, through DRAM or in the L2, a round of the grid after the other.
#include "micro.h"

enum { THREADS = 256, DRAM_BYTES = 1 << 30, L2_BYTES = 8 << 20, ROUNDS = 400, FEW_ROUNDS = 32 };

struct times {
    unsigned long long began, ended;
};

__global__ void move(const float4 *in, float4 *out, unsigned words, struct times *times)
{
    if (threadIdx.x == 0)
        times[blockIdx.x].began = now_ns();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned at = ((round * gridDim.x + blockIdx.x) * THREADS + threadIdx.x) % words;
        out[at] = in[at];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        times[blockIdx.x].ended = now_ns();
}

// Of the blocks' times, beside their mean: those of the tenth that is fastest, and of the tenth that is slowest.
static void measure(const float4 *in, float4 *out, size_t bytes, const char *where, int resident)
{
    const int blocks = resident * multiprocessors();
    const unsigned words = bytes / sizeof *in, shared = shared_of_block(resident);
    struct times *times;
    double *took = (double *)host_memory(blocks * sizeof *took), mean = 0;
    CHECK(cudaMallocManaged(&times, blocks * sizeof *times));
    CHECK(cudaFuncSetAttribute(move, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    for (int warm = 0; warm < 2; warm++) {
        move<<<blocks, THREADS, shared>>>(in, out, words, times);
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
    }
    for (int b = 0; b < blocks; b++)
        mean += took[b] = (double)(times[b].ended - times[b].began);
    mean /= blocks;
    qsort(took, blocks, sizeof *took, compare_doubles);
    report(2.0 * ROUNDS * blocks * THREADS * sizeof *in / mean, "GB/s", "pace_%s_%d_blocks", where,
           resident);
    report(took[blocks / 10] / mean, "means", "pace_%s_%d_blocks_fast", where, resident);
    report(took[blocks - 1 - blocks / 10] / mean, "means", "pace_%s_%d_blocks_slow", where,
           resident);
    CHECK(cudaFree(times));
    free(took);
}

// Each thread moves so many words a round, and each block notes when it has.
template <int each>
__global__ void move_few(const float *in, float *out, unsigned long long *when)
{
    const unsigned words = DRAM_BYTES / sizeof *in;
    float got[each];
    for (unsigned round = 0; round < FEW_ROUNDS; round++) {
        const unsigned first = (round * gridDim.x + blockIdx.x) * each * blockDim.x + threadIdx.x;
#pragma unroll
        for (int i = 0; i < each; i++)
            got[i] = __ldcg(in + (first + i * blockDim.x) % words);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < each; i++)
            out[(first + i * blockDim.x) % words] = got[i];
        if (threadIdx.x == 0)
            when[blockIdx.x * FEW_ROUNDS + round] = now_ns();
        __syncthreads();
    }
}

template <int each>
static void measure_apart(const float *in, float *out, int threads, int resident)
{
    const int blocks = resident * multiprocessors();
    const unsigned shared = shared_of_block(resident);
    CHECK(
        cudaFuncSetAttribute(move_few<each>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    double apart = rounds_apart(blocks, FEW_ROUNDS, [=](unsigned long long *when) {
        move_few<each><<<blocks, threads, shared>>>(in, out, when);
    });
    report(apart, "rounds", "pace_%dx%d_words_%d_blocks_apart", each, threads, resident);
}

template <int each>
static void measure_all_apart(const float *in, float *out)
{
    for (int threads : {64, 256})
        for (int resident : {1, 2, 4, 8})
            measure_apart<each>(in, out, threads, resident);
}

int main(void)
{
    wake_up();
    float4 *in, *out;
    CHECK(cudaMalloc(&in, DRAM_BYTES));
    CHECK(cudaMalloc(&out, DRAM_BYTES));
    CHECK(cudaMemset(in, 0, DRAM_BYTES));
    for (int resident : {1, 2, 4, 8}) {
        measure(in, out, DRAM_BYTES, "dram", resident);
        measure(in, out, L2_BYTES, "l2", resident);
    }
    measure_all_apart<1>((const float *)in, (float *)out);
    measure_all_apart<4>((const float *)in, (float *)out);
    measure_all_apart<16>((const float *)in, (float *)out);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
