// No tile: a thread reads eight elements of a column and writes them as two words of 16 bytes, 128 x 1.
#include "step.h"

enum { ROWS_EACH = 8 };

__global__ void transpose_columns_of_eight(float *out, const float *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * ROWS_EACH;
    if (x >= n)
        return;
    float v[ROWS_EACH];
#pragma unroll
    for (int k = 0; k < ROWS_EACH; k++)
        v[k] = y + k < n ? in[(size_t)(y + k) * n + x] : 0;
    float *to = out + (size_t)x * n + y;
    if (n % 4 == 0 && y + ROWS_EACH <= n) {
        *(float4 *)to = make_float4(v[0], v[1], v[2], v[3]);
        *(float4 *)(to + 4) = make_float4(v[4], v[5], v[6], v[7]);
        return;
    }
#pragma unroll
    for (int k = 0; k < ROWS_EACH; k++)
        if (y + k < n)
            to[k] = v[k];
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + 127) / 128, (n + ROWS_EACH - 1) / ROWS_EACH);
    transpose_columns_of_eight<<<grid, 128>>>(out, in, n);
}

STEP(36, PARALLELISE, "8 x 1 a thread, 16-byte stores", "eight loads in flight, wide stores")
