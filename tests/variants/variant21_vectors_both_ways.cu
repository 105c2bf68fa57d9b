// Each thread turns 4 x 4 elements around in its registers, and both loads and stores are of 16 bytes.
// For n that are multiples of 4; else a word at a time.
#include "../kernels/launch.h"

__global__ void transpose_vectors(float *out, const float *in, int n)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    int y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    if (n % 4 || x >= n || y >= n) {
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                if (x + k < n && y + i < n)
                    out[(size_t)(x + k) * n + y + i] = in[(size_t)(y + i) * n + x + k];
        return;
    }
    float4 a = *(const float4 *)(in + (size_t)y * n + x);
    float4 b = *(const float4 *)(in + (size_t)(y + 1) * n + x);
    float4 c = *(const float4 *)(in + (size_t)(y + 2) * n + x);
    float4 d = *(const float4 *)(in + (size_t)(y + 3) * n + x);
    *(float4 *)(out + (size_t)x * n + y) = make_float4(a.x, b.x, c.x, d.x);
    *(float4 *)(out + (size_t)(x + 1) * n + y) = make_float4(a.y, b.y, c.y, d.y);
    *(float4 *)(out + (size_t)(x + 2) * n + y) = make_float4(a.z, b.z, c.z, d.z);
    *(float4 *)(out + (size_t)(x + 3) * n + y) = make_float4(a.w, b.w, c.w, d.w);
}

LAUNCH_2D(transpose_vectors, 32, 64, 8, 16)
STEP(21, OPTIMISE, "4 x 4 in registers, 16 bytes", "no shared memory")
