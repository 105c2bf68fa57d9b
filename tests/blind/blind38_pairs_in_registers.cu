// A thread turns 2 x 2 elements around in its registers: loads and stores of 8 bytes, 32 x 4 threads.
#include "../kernels/launch.h"

__global__ void transpose_pairs_in_registers(float *out, const float *in, int n)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    int y = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
    if (x >= n || y >= n)
        return;
    if (n % 2) {
        for (int i = 0; i < 2 && y + i < n; i++)
            for (int k = 0; k < 2 && x + k < n; k++)
                out[(size_t)(x + k) * n + y + i] = in[(size_t)(y + i) * n + x + k];
        return;
    }
    float2 a = *(const float2 *)&in[(size_t)y * n + x];
    float2 b = *(const float2 *)&in[(size_t)(y + 1) * n + x];
    *(float2 *)&out[(size_t)x * n + y] = make_float2(a.x, b.x);
    *(float2 *)&out[(size_t)(x + 1) * n + y] = make_float2(a.y, b.y);
}

LAUNCH_2D(transpose_pairs_in_registers, 64, 8, 32, 4)
STEP(38, OPTIMISE, "2 x 2 in registers, 8 bytes", "pairs, and no shared memory")
