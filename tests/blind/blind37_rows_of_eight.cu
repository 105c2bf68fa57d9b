// No tile: a thread reads eight elements of a row as two words of 16 bytes; streaming stores coalesce, 32 x 4.
#include "step.h"

enum { EACH = 8 };

__global__ void transpose_rows_of_eight(float *out, const float *in, int n)
{
    int y = blockIdx.y * blockDim.x + threadIdx.x;
    int x = (blockIdx.x * blockDim.y + threadIdx.y) * EACH;
    if (y >= n)
        return;
    const float *from = in + (size_t)y * n + x;
    if (n % 4 == 0 && x + EACH <= n) {
        float4 a = *(const float4 *)from, b = *(const float4 *)(from + 4);
        float v[EACH] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w};
#pragma unroll
        for (int k = 0; k < EACH; k++)
            __stcs(&out[(size_t)(x + k) * n + y], v[k]);
        return;
    }
    for (int k = 0; k < EACH; k++)
        if (x + k < n)
            __stcs(&out[(size_t)(x + k) * n + y], from[k]);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 threads(32, 4), grid((n + 4 * EACH - 1) / (4 * EACH), (n + 31) / 32);
    transpose_rows_of_eight<<<grid, threads>>>(out, in, n);
}

STEP(37, PARALLELISE, "1 x 8 a thread, 16-byte loads", "wide scattered loads, __stcs")
