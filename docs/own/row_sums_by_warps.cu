// The sum of each row, a warp a row.
#include "step.h"

__global__ void row_sums(float *out, const float *in, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= n)
        return;
    float sum = 0;
#pragma unroll 8 // loads that do not wait for each other
    for (int col = lane; col < n; col += 32)
        sum += in[(size_t)row * n + col];
    for (int away = 16; away > 0; away /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, away);
    if (lane == 0)
        out[row] = sum;
}

// What the driver calls: starts the kernel on n * n floats.
static void launch(float *out, const float *in, size_t n)
{
    row_sums<<<(n * 32 + 127) / 128, 128>>>(out, in, n);
}

// What is right, on the CPU: n floats, and the rest of `out` stays as it is.
static void compute(float *out, const float *in, size_t n)
{
    for (size_t row = 0; row < n; row++) {
        double sum = 0;
        for (size_t col = 0; col < n; col++)
            sum += in[row * n + col];
        out[row] = (float)sum;
    }
}

// Each element is read, each sum is written.
static double useful_bytes(size_t n)
{
    return ((double)n * n + n) * sizeof(float);
}

// The last number: sums in another order may differ by a ten-thousandth. 0 asks for the same bits.
KERNEL("row sums by warps", compute, useful_bytes, 1e-4)
