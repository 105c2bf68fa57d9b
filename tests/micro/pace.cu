// How unlike the paces are at which blocks go that run to the kernel's end, each with the same work: as where a loop in each
// of few blocks goes over all of a matrix. They copy in order, through DRAM or in the L2, a round of the grid after the other.
#include "micro.h"

enum { THREADS = 256, DRAM_BYTES = 1 << 30, L2_BYTES = 8 << 20, ROUNDS = 400 };

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
    double *took = (double *)malloc(blocks * sizeof *took), mean = 0;
    if (!took) {
        fprintf(stderr, "no memory for the times of %d blocks\n", blocks);
        exit(1);
    }
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
    report(took[blocks / 10] / mean, "means", "pace_%s_%d_blocks_fast", where, resident);
    report(took[blocks - 1 - blocks / 10] / mean, "means", "pace_%s_%d_blocks_slow", where,
           resident);
    CHECK(cudaFree(times));
    free(took);
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
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
