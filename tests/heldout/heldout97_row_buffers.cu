// Eight rows of up to 4096 columns fill a buffer in dynamic shared memory, 16 bytes an access; then the 1024 threads
// write columns of it, a sector each. What a block asks for depends on n; at the longest, one fits on an SM.
#include "step.h"

#define HEIGHT 8
#define LONGEST 4096

extern __shared__ float4 row_buffer[];

__global__ void transpose_row_buffers(float *out, const float *in, int n, int length, int pitch)
{
    float *buffer = (float *)row_buffer;
    int left = blockIdx.x * length;
    int top = blockIdx.y * HEIGHT;
    int columns = min(length, n - left);

    int y = threadIdx.y;
    if (top + y < n) {
        const float *row = in + (size_t)(top + y) * n + left;
        float *to = buffer + y * pitch;
        if (n % 4 == 0) {
            for (int c = threadIdx.x * 4; c < columns; c += blockDim.x * 4)
                *(float4 *)(to + c) = *(const float4 *)(row + c);
        } else {
            for (int c = threadIdx.x; c < columns; c += blockDim.x)
                to[c] = row[c];
        }
    }
    __syncthreads();

    int t = threadIdx.y * blockDim.x + threadIdx.x;
    int r = t % HEIGHT;
    if (top + r < n)
        for (int c = t / HEIGHT; c < columns; c += blockDim.x)
            out[(size_t)(left + c) * n + top + r] = buffer[r * pitch + c];
}

static void launch(float *out, const float *in, size_t n)
{
    // Four words more than a multiple of 32, so that a warp's 8 x 4 elements lie in 32 banks.
    int length = n < LONGEST ? (n + 31) / 32 * 32 : LONGEST;
    int pitch = length + 4, bytes = HEIGHT * pitch * sizeof(float);
    cudaFuncSetAttribute(transpose_row_buffers, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    dim3 grid((n + length - 1) / length, (n + HEIGHT - 1) / HEIGHT), block(128, HEIGHT);
    transpose_row_buffers<<<grid, block, bytes>>>(out, in, n, length, pitch);
}

STEP(97, OPTIMISE, "8 rows of 4096, 128 x 8 threads", "128 KB of shared memory, long phases")
