// Each thread takes 16 elements of an input row by 8-byte loads, and stores them one by one down a column.
#include "step.h"

#define PER_THREAD 16

__global__ void transpose_sixteen_in_a_row(float *out, const float *in, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = (blockIdx.y * blockDim.y + threadIdx.y) * PER_THREAD;
    if (row >= n || col >= n)
        return;

    const float *from = in + row * n + col;
    float *to = out + col * n + row;
    if (n % 2 == 0 && col + PER_THREAD <= n) {
        float2 v[PER_THREAD / 2];
        for (int i = 0; i < PER_THREAD / 2; i++)
            v[i] = reinterpret_cast<const float2 *>(from)[i];
        for (int i = 0; i < PER_THREAD / 2; i++) {
            to[2 * i * n] = v[i].x;
            to[(2 * i + 1) * n] = v[i].y;
        }
    } else {
        for (int i = 0; i < PER_THREAD && col + i < n; i++)
            to[i * n] = from[i];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 block(64, 2);
    dim3 grid((n + 63) / 64, (n + 2 * PER_THREAD - 1) / (2 * PER_THREAD));
    transpose_sixteen_in_a_row<<<grid, block>>>(out, in, n);
}

STEP(65, OPTIMISE, "1 x 16 a thread, 8-byte loads", "eight loads in flight, no tile")
