// A padded tile of 32 x 32 by 128 threads, which move quads of 16 bytes from and to global memory, and single words
// in shared memory. Loads leave nothing in the L1.
#include "step.h"

enum { SIDE = 32, QUADS = SIDE / 4, THREADS = 128, ROWS = THREADS / QUADS };

static __device__ float4 load_past_l1(const float *from)
{
    float4 v;
    asm("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
        : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
        : "l"(from));
    return v;
}

// The first `count` of a quad, which are all 4 of an aligned one.
template <bool ALIGNED>
static __device__ float4 load_quad(const float *from, int count)
{
    if (count <= 0)
        return make_float4(0, 0, 0, 0);
    if (ALIGNED)
        return load_past_l1(from);
    return make_float4(from[0], count > 1 ? from[1] : 0, count > 2 ? from[2] : 0,
                       count > 3 ? from[3] : 0);
}

template <bool ALIGNED>
static __device__ void store_quad(float *to, const float *quad, int count)
{
    if (ALIGNED && count > 0)
        *(float4 *)to = make_float4(quad[0], quad[1], quad[2], quad[3]);
    else
        for (int k = 0; k < 4 && k < count; k++)
            to[k] = quad[k];
}

template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS)
    transpose_quads_in_and_out(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float turned[SIDE][SIDE + 1];

    const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE;
    const int first = threadIdx.x / QUADS, quad = threadIdx.x % QUADS * 4;

#pragma unroll
    for (int row = first; row < SIDE; row += ROWS) {
        int count = top + row < n ? n - left - quad : 0;
        float4 v = load_quad<ALIGNED>(in + (size_t)(top + row) * n + left + quad, count);
        turned[quad + 0][row] = v.x;
        turned[quad + 1][row] = v.y;
        turned[quad + 2][row] = v.z;
        turned[quad + 3][row] = v.w;
    }
    __syncthreads();

#pragma unroll
    for (int row = first; row < SIDE; row += ROWS) {
        int count = left + row < n ? n - top - quad : 0;
        store_quad<ALIGNED>(out + (size_t)(left + row) * n + top + quad, &turned[row][quad], count);
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + SIDE - 1) / SIDE;
    dim3 grid(tiles, tiles);
    if (n % 4 == 0)
        transpose_quads_in_and_out<true><<<grid, THREADS>>>(out, in, n);
    else
        transpose_quads_in_and_out<false><<<grid, THREADS>>>(out, in, n);
}

STEP(23, OPTIMISE, "padded tile 32 x 32, 16 bytes, 128 x 1", "quads in and out, words in the tile")
