// Four lanes turn 4 x 4 elements by two rounds of shuffles: 16 bytes in, 16 bytes out, no shared memory.
#include "../kernels/launch.h"

__device__ static void exchange(float &low, float &high, int distance, bool upper)
{
    float received = __shfl_xor_sync(0xffffffff, upper ? low : high, distance);
    if (upper)
        low = received;
    else
        high = received;
}

// A warp has 16 x 8 elements: four patches across, two down.
__global__ void transpose_quad_shuffles(float *out, const float *in, int n)
{
    int lane = threadIdx.x, q = lane % 4;
    int left = blockIdx.x * 16 + lane / 4 % 4 * 4;
    int top = (blockIdx.y * 8 + threadIdx.y) * 8 + lane / 16 * 4;

    if (n % 4 != 0) {
        for (int i = 0; i < 4; i++)
            if (top + q < n && left + i < n)
                out[(left + i) * n + top + q] = in[(top + q) * n + left + i];
        return;
    }

    bool inside = left < n && top < n;
    float4 v = make_float4(0, 0, 0, 0);
    if (inside)
        v = *(const float4 *)(in + (top + q) * n + left);
    exchange(v.x, v.y, 1, q & 1);
    exchange(v.z, v.w, 1, q & 1);
    exchange(v.x, v.z, 2, q & 2);
    exchange(v.y, v.w, 2, q & 2);
    if (inside)
        *(float4 *)(out + (left + q) * n + top) = v;
}

LAUNCH_2D(transpose_quad_shuffles, 16, 64, 32, 8)
STEP(75, OPTIMISE, "4 x 4 by shuffles, 16 bytes", "four lanes a patch, two rounds")
