// A thread turns 8 x 8 elements around in its registers, which leave room for few warps; blocks go down columns.
#include "../kernels/launch.h"

enum { PATCH = 8 };

__global__ void __launch_bounds__(128) transpose_many_registers(float *out, const float *in, int n)
{
    int x = (blockIdx.y * blockDim.x + threadIdx.x) * PATCH;
    int y = (blockIdx.x * blockDim.y + threadIdx.y) * PATCH;
    if (n % 4 || x + PATCH > n || y + PATCH > n) {
        for (int i = 0; i < PATCH && y + i < n; i++)
            for (int k = 0; k < PATCH && x + k < n; k++)
                out[(size_t)(x + k) * n + y + i] = in[(size_t)(y + i) * n + x + k];
        return;
    }
    float v[PATCH][PATCH];
#pragma unroll
    for (int i = 0; i < PATCH; i++)
#pragma unroll
        for (int k = 0; k < PATCH; k += 4) {
            float4 quad = *(const float4 *)&in[(size_t)(y + i) * n + x + k];
            v[i][k] = quad.x;
            v[i][k + 1] = quad.y;
            v[i][k + 2] = quad.z;
            v[i][k + 3] = quad.w;
        }
#pragma unroll
    for (int k = 0; k < PATCH; k++)
#pragma unroll
        for (int i = 0; i < PATCH; i += 4)
            *(float4 *)&out[(size_t)(x + k) * n + y + i] =
                make_float4(v[i][k], v[i + 1][k], v[i + 2][k], v[i + 3][k]);
}

LAUNCH_2D(transpose_many_registers, 128, 64, 8, 16)
STEP(56, OPTIMISE, "8 x 8 in registers, 16 bytes", "many registers, few warps")
