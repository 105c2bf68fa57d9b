// The sum of each row, a thread a row.
#include "step.h"

__global__ void row_sums(float *out, const float *in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n)
        return;
    float sum = 0;
    for (int col = 0; col < n; col++)
        sum += in[(size_t)row * n + col];
    out[row] = sum;
}

// What the driver calls: starts the kernel on n * n floats.
static void launch(float *out, const float *in, size_t n)
{
    row_sums<<<(n + 127) / 128, 128>>>(out, in, n);
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
KERNEL("row sums", compute, useful_bytes, 1e-4)
