// No shared memory: a thread of a 32 x 32 block reads four elements that lie below each other, and writes them with one
// store of 16 bytes that is not kept in the caches. Neighbours write to neighbouring rows of the output.
#include "../kernels/launch.h"

#define PER_THREAD 4

__global__ void transpose_stacked_loads(float *__restrict__ out, const float *__restrict__ in,
                                        int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * PER_THREAD;
    if (col >= n || row >= n)
        return;

    const float *src = in + (size_t)row * n + col;
    float *dst = out + (size_t)col * n + row;
    if (n % PER_THREAD == 0) {
        float4 v = make_float4(src[0], src[n], src[2 * (size_t)n], src[3 * (size_t)n]);
        __stcs((float4 *)dst, v);
    } else {
        for (int k = 0; k < PER_THREAD && row + k < n; k++)
            __stcs(dst + k, src[k * (size_t)n]);
    }
}

LAUNCH_2D(transpose_stacked_loads, 32, 32 * PER_THREAD, 32, 32)
STEP(11, OPTIMISE, "four rows a thread, 32 x 32", "four loads, a 16-byte streaming store")
