// As many blocks as are resident go down the columns of tiles, as far apart as there are blocks, with asynchronous
// copies of 8 bytes for the next three tiles under way: 66 KB of dynamic shared memory for four of 64 x 64.
#include "step.h"

#include <cuda_runtime.h>

enum { SIDE = 64, PITCH = SIDE + 2, STAGES = 4, THREADS = 512, BYTES = STAGES * SIDE * PITCH * 4 };

template <int WORDS>
static __device__ void copy_async(float *to, const float *from)
{
#if __CUDA_ARCH__ >= 800
    size_t address; // within shared memory
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)address), "l"(from),
                 "n"(4 * WORDS)
                 : "memory");
#else
    for (int i = 0; i < WORDS; i++)
        to[i] = from[i];
#endif
}

// Starts the copies of tile `t`, if there is one; a group without copies counts as well.
template <int WORDS>
static __device__ void start_tile(float *buffer, const float *in, int t, int across, int n)
{
    if (t < across * across) {
        const int left = t / across * SIDE, top = t % across * SIDE;
        const int x = threadIdx.x % (SIDE / WORDS) * WORDS;
        for (int y = threadIdx.x / (SIDE / WORDS); y < SIDE; y += THREADS * WORDS / SIDE)
            if (top + y < n && left + x < n)
                copy_async<WORDS>(buffer + y * PITCH + x, in + (size_t)(top + y) * n + left + x);
    }
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int WORDS>
__global__ void __launch_bounds__(THREADS)
    transpose_persistent_async(float *__restrict__ out, const float *__restrict__ in, int n)
{
    extern __shared__ __align__(16) float buffers[];

    const int across = (n + SIDE - 1) / SIDE, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int stage = 0; stage < STAGES - 1; stage++)
        start_tile<WORDS>(buffers + stage * SIDE * PITCH, in, blockIdx.x + stage * gridDim.x,
                          across, n);

    int stage = 0;
    for (int t = blockIdx.x; t < across * across; t += gridDim.x) {
#if __CUDA_ARCH__ >= 800
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
#endif
        __syncthreads();
        // The buffer of the tile before is free: all have passed the barrier since.
        int next = (stage + STAGES - 1) % STAGES;
        start_tile<WORDS>(buffers + next * SIDE * PITCH, in, t + (STAGES - 1) * gridDim.x, across,
                          n);

        const int left = t / across * SIDE, top = t % across * SIDE;
        const float *tile = buffers + stage * SIDE * PITCH;
        for (int column = 2 * warp; column < SIDE; column += THREADS / 16) {
            for (int row = lane; row < SIDE; row += 32) {
                const float *from = tile + row * PITCH + column;
                float *to = out + (size_t)(left + column) * n + top + row;
                if (top + row < n && left + column + 1 < n) {
                    float2 v = *(const float2 *)from;
                    to[0] = v.x;
                    to[n] = v.y;
                } else if (top + row < n && left + column < n) {
                    to[0] = *from;
                }
            }
        }
        stage = (stage + 1) % STAGES;
    }
}

template <int WORDS>
static void start(float *out, const float *in, size_t n)
{
    int device = 0, sms = 1, blocks_per_sm = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
    cudaFuncSetAttribute(transpose_persistent_async<WORDS>,
                         cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, transpose_persistent_async<WORDS>,
                                                  THREADS, BYTES);
    size_t across = (n + SIDE - 1) / SIDE, blocks = (size_t)sms * blocks_per_sm;
    if (blocks > across * across)
        blocks = across * across;
    transpose_persistent_async<WORDS><<<blocks, THREADS, BYTES>>>(out, in, n);
}

static void launch(float *out, const float *in, size_t n)
{
    if (n % 2 == 0)
        start<2>(out, in, n);
    else
        start<1>(out, in, n);
}

STEP(51, OPTIMISE, "4 async tiles 64 x 64, 512 x 1", "resident blocks, three tiles ahead")
