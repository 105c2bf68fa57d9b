// By somebody who writes PTX for its hints: quads that stay out of the L1 and fetch 128 bytes into the L2, for a tile
// of 128 x 32 that is swizzled so that neither words in nor columns out meet in a bank. 32 x 8 threads.
#include "step.h"

enum { WIDTH = 128, HEIGHT = 32, ROWS = 8 };

static __device__ float4 load_quad(const float *from)
{
    float4 v;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(from));
    return v;
}

static __device__ void store_word(float *to, float v)
{
    asm volatile("st.global.L1::no_allocate.f32 [%0], %1;" ::"l"(to), "f"(v) : "memory");
}

// Where a word of the tile lies in its row.
static __device__ int swizzled(int row, int column)
{
    return column ^ column / 32 ^ row;
}

template <bool QUADS>
__global__ void __launch_bounds__(32 * ROWS)
    transpose_hinted_quads(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float tile[HEIGHT][WIDTH];

    const int left = blockIdx.y * WIDTH, top = blockIdx.x * HEIGHT;
    const int lane = threadIdx.x;
#pragma unroll
    for (int k = 0; k < HEIGHT; k += ROWS) {
        const int row = k + threadIdx.y;
        const float *from = in + (size_t)(top + row) * n + left;
        if (QUADS) {
            if (top + row < n && left + 4 * lane < n) {
                float4 v = load_quad(from + 4 * lane);
                tile[row][swizzled(row, 4 * lane)] = v.x;
                tile[row][swizzled(row, 4 * lane + 1)] = v.y;
                tile[row][swizzled(row, 4 * lane + 2)] = v.z;
                tile[row][swizzled(row, 4 * lane + 3)] = v.w;
            }
        } else {
#pragma unroll
            for (int x = 0; x < WIDTH; x += 32)
                if (top + row < n && left + x + lane < n)
                    tile[row][swizzled(row, x + lane)] = __ldg(from + x + lane);
        }
    }
    __syncthreads();

#pragma unroll
    for (int k = 0; k < WIDTH; k += ROWS) {
        const int column = k + threadIdx.y;
        if (left + column < n && top + lane < n)
            store_word(out + (size_t)(left + column) * n + top + lane,
                       tile[lane][swizzled(lane, column)]);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + HEIGHT - 1) / HEIGHT, (n + WIDTH - 1) / WIDTH), threads(32, ROWS);
    if (n % 4 == 0)
        transpose_hinted_quads<true><<<grid, threads>>>(out, in, n);
    else
        transpose_hinted_quads<false><<<grid, threads>>>(out, in, n);
}

STEP(54, OPTIMISE, "swizzled tile 128 x 32, 32 x 8", "loads and stores with hints in PTX")
