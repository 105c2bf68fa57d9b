// A tile of 32 x 64 by cp.async of 8 bytes in two groups: the upper half goes out while the lower one comes in.
#include "step.h"

#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800
#error cp.async needs compute capability 8.0
#endif

template <int BYTES>
static __device__ void copy_async(float *to, const float *from)
{
    asm volatile("{ .reg .u64 to; cvta.to.shared.u64 to, %0;\n"
                 "cp.async.ca.shared.global [to], [%1], %2; }" ::"l"(to),
                 "l"(from), "n"(BYTES)
                 : "memory");
}

__global__ void transpose_async_halves(float *out, const float *in, int n)
{
    __shared__ __align__(8) float tile[64][34];
    int left = blockIdx.x * 32, top = blockIdx.y * 64;
    int pair = threadIdx.x % 16 * 2, x = left + pair;

    for (int half = 0; half < 2; half++) {
        for (int k = half * 32 + threadIdx.x / 16; k < half * 32 + 32; k += 16) {
            const float *from = in + (size_t)(top + k) * n + x;
            if (top + k >= n || x >= n)
                continue;
            if (n % 2 == 0) {
                copy_async<8>(&tile[k][pair], from);
            } else {
                copy_async<4>(&tile[k][pair], from);
                if (x + 1 < n)
                    copy_async<4>(&tile[k][pair + 1], from + 1);
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }

    int lane = threadIdx.x % 32;
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    for (int k = threadIdx.x / 32; k < 32; k += 8)
        if (left + k < n && top + lane < n)
            out[(size_t)(left + k) * n + top + lane] = tile[lane][k];
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int k = threadIdx.x / 32; k < 32; k += 8)
        if (left + k < n && top + 32 + lane < n)
            out[(size_t)(left + k) * n + top + 32 + lane] = tile[32 + lane][k];
}

static void launch(float *out, const float *in, size_t n)
{
    transpose_async_halves<<<dim3((n + 31) / 32, (n + 63) / 64), 256>>>(out, in, n);
}

STEP(77, OPTIMISE, "tile 32 x 64 by cp.async, 8 bytes", "two groups, a half each, padded by 2")
