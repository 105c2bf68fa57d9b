// Mystery 1, solved: the counts, which are no more than 8, lie in the 4-bit parts of one register pair, where a shift
// finds them. An array that is indexed by data can only lie in memory.
#include "mysteries/mystery1.h"

__global__ void solved1(unsigned *out, const unsigned *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * PIECE;
    if (col >= n)
        return;

    unsigned piece[PIECE];
    unsigned long long counts = 0;
#pragma unroll
    for (int i = 0; i < PIECE; i++)
        piece[i] = top + i < n ? in[(size_t)(top + i) * n + col] : 0;
#pragma unroll
    for (int i = 0; i < PIECE; i++)
        counts += top + i < n ? 1ull << 4 * digit_of(piece[i]) : 0;

    unsigned most = 0, most_often = counts & 15;
#pragma unroll
    for (int digit = 1; digit < DIGITS; digit++) {
        unsigned count = counts >> 4 * digit & 15;
        most = count > most_often ? digit : most;
        most_often = count > most_often ? count : most_often;
    }
    out[(size_t)blockIdx.y * n + col] = most;
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 128;
    dim3 grid((n + threads - 1) / threads, (n + PIECE - 1) / PIECE);
    solved1<<<grid, threads>>>((unsigned *)out, (const unsigned *)in, n);
}

SOLUTION(1, "counts in a register", compute, useful_bytes)
