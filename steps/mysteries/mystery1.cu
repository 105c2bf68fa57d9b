// Mystery 1: the most frequent digit of each 8 elements of a column; 8 elements a thread.
#include "mysteries/mystery1.h"

__global__ void mystery1(unsigned *out, const unsigned *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, top = blockIdx.y * PIECE;
    if (col >= n)
        return;

    unsigned counts[DIGITS] = {0};
    for (int row = top; row < n && row < top + PIECE; row++)
        counts[digit_of(in[(size_t)row * n + col])]++;

    unsigned most = 0;
    for (int digit = 1; digit < DIGITS; digit++)
        if (counts[digit] > counts[most])
            most = digit;
    out[(size_t)blockIdx.y * n + col] = most;
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned threads = 128;
    dim3 grid((n + threads - 1) / threads, (n + PIECE - 1) / PIECE);
    mystery1<<<grid, threads>>>((unsigned *)out, (const unsigned *)in, n);
}

MYSTERY(1, compute, useful_bytes)
