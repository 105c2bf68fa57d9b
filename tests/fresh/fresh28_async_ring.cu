// A block walks down eight tiles of 64 x 32, with asynchronous copies of the next two under way in a ring of three.
// Each of 128 threads turns 4 x 4 elements of a tile in its registers, and quads lie swizzled in shared memory.
#include "step.h"

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#error cp.async needs compute capability 8.0
#endif

enum { ACROSS = 64, DOWN = 32, QUADS = ACROSS / 4, STAGES = 3, TILES = 8, THREADS = 128 };

static __device__ int place(int row, int quad)
{
    return quad ^ (row / 4);
}

static __device__ unsigned shared_address(const void *at)
{
#ifdef __clang__ // before 15 it does not know the function
    unsigned long long address;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(at));
    return (unsigned)address;
#else
    return (unsigned)__cvta_generic_to_shared(at);
#endif
}

static __device__ void copy_16_async(float4 *to, const float *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}

static __device__ void copy_4_async(float *to, const float *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(to)), "l"(from)
                 : "memory");
}

// Starts the copies of a tile, as a group that has none in it when there is no such tile.
template <bool ALIGNED>
static __device__ void start_tile(float4 (*tile)[QUADS], const float *in, int n, int left, int top)
{
    int quad = threadIdx.x % QUADS, x = left + quad * 4;
    for (int row = threadIdx.x / QUADS; row < DOWN && top + row < n; row += THREADS / QUADS) {
        const float *from = in + (size_t)(top + row) * n + x;
        float4 *to = &tile[row][place(row, quad)];
        if (ALIGNED && x < n)
            copy_16_async(to, from);
        for (int k = 0; !ALIGNED && k < 4; k++)
            if (x + k < n)
                copy_4_async(&to->x + k, from + k);
            else
                (&to->x)[k] = 0;
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <bool ALIGNED>
static __device__ void store_row(float *to, int count, float a, float b, float c, float d)
{
    if (ALIGNED) {
        *(float4 *)to = make_float4(a, b, c, d);
        return;
    }
    to[0] = a;
    if (count > 1)
        to[1] = b;
    if (count > 2)
        to[2] = c;
    if (count > 3)
        to[3] = d;
}

template <bool ALIGNED>
static __device__ void finish_tile(float *out, const float4 (*tile)[QUADS], int n, int left,
                                   int top)
{
    int row = threadIdx.x % (DOWN / 4) * 4, quad = threadIdx.x / (DOWN / 4);
    int x = left + quad * 4, y = top + row;
    if (x >= n || y >= n)
        return;
    float4 v[4] = {};
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (y + k < n)
            v[k] = tile[row + k][place(row, quad)];
    float *to = out + (size_t)x * n + y;
    store_row<ALIGNED>(to, n - y, v[0].x, v[1].x, v[2].x, v[3].x);
    if (x + 1 < n)
        store_row<ALIGNED>(to + n, n - y, v[0].y, v[1].y, v[2].y, v[3].y);
    if (x + 2 < n)
        store_row<ALIGNED>(to + 2 * (size_t)n, n - y, v[0].z, v[1].z, v[2].z, v[3].z);
    if (x + 3 < n)
        store_row<ALIGNED>(to + 3 * (size_t)n, n - y, v[0].w, v[1].w, v[2].w, v[3].w);
}

template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS) transpose_async_ring(float *out, const float *in, int n)
{
    __shared__ float4 ring[STAGES][DOWN][QUADS];

    int left = blockIdx.x * ACROSS, top = blockIdx.y * TILES * DOWN;
    for (int t = 0; t < STAGES - 1; t++)
        start_tile<ALIGNED>(ring[t], in, n, left, top + t * DOWN);
    for (int t = 0; t < TILES; t++) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        int next = t + STAGES - 1;
        start_tile<ALIGNED>(ring[next % STAGES], in, next < TILES ? n : 0, left, top + next * DOWN);
        finish_tile<ALIGNED>(out, ring[t % STAGES], n, left, top + t * DOWN);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + ACROSS - 1) / ACROSS, (n + TILES * DOWN - 1) / (TILES * DOWN));
    if (n % 4 == 0)
        transpose_async_ring<true><<<grid, THREADS>>>(out, in, n);
    else
        transpose_async_ring<false><<<grid, THREADS>>>(out, in, n);
}

STEP(28, OPTIMISE, "three tiles 64 x 32 by cp.async", "a ring, 4 x 4 turned in registers")
