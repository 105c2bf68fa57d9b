// A tile of 32 columns and 128 rows by 1024 threads, each with a quad to read and a quad to write, past the caches as
// far as it can be said. The quads of the turned tile are swizzled.
#include "step.h"

enum { WIDTH = 32, HEIGHT = 128, THREADS = 1024, ACROSS = WIDTH / 4, DOWN = HEIGHT / 4 };

// The first `count` of a quad, which are all 4 of an aligned one.
template <bool ALIGNED>
static __device__ float4 load_quad(const float *from, int count)
{
    float4 v = make_float4(0, 0, 0, 0);
    if (ALIGNED)
        return count > 0 ? __ldcs((const float4 *)from) : v;
    if (count > 0)
        v.x = __ldcs(from);
    if (count > 1)
        v.y = __ldcs(from + 1);
    if (count > 2)
        v.z = __ldcs(from + 2);
    if (count > 3)
        v.w = __ldcs(from + 3);
    return v;
}

template <bool ALIGNED>
static __device__ void store_quad(float *to, float4 v, int count)
{
    if (ALIGNED) {
        if (count > 0)
            __stcs((float4 *)to, v);
        return;
    }
    if (count > 0)
        __stcs(to, v.x);
    if (count > 1)
        __stcs(to + 1, v.y);
    if (count > 2)
        __stcs(to + 2, v.z);
    if (count > 3)
        __stcs(to + 3, v.w);
}

template <bool ALIGNED>
__global__ void __launch_bounds__(THREADS)
    transpose_quad_per_thread(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float4 turned[WIDTH][DOWN];

    const int left = blockIdx.x * WIDTH, top = blockIdx.y * HEIGHT;
    {
        int quad = threadIdx.x % ACROSS, row = threadIdx.x / ACROSS;
        int count = top + row < n ? n - left - quad * 4 : 0;
        float4 v = load_quad<ALIGNED>(&in[(size_t)(top + row) * n + left + quad * 4], count);
        int place = (row / 4 ^ quad) * 4 + row % 4;
        ((float *)turned[quad * 4 + 0])[place] = v.x;
        ((float *)turned[quad * 4 + 1])[place] = v.y;
        ((float *)turned[quad * 4 + 2])[place] = v.z;
        ((float *)turned[quad * 4 + 3])[place] = v.w;
    }
    __syncthreads();

    int quad = threadIdx.x % DOWN, row = threadIdx.x / DOWN;
    int count = left + row < n ? n - top - quad * 4 : 0;
    store_quad<ALIGNED>(&out[(size_t)(left + row) * n + top + quad * 4],
                        turned[row][quad ^ (row / 4)], count);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + WIDTH - 1) / WIDTH, (n + HEIGHT - 1) / HEIGHT);
    if (n % 4 == 0)
        transpose_quad_per_thread<true><<<grid, THREADS>>>(out, in, n);
    else
        transpose_quad_per_thread<false><<<grid, THREADS>>>(out, in, n);
}

STEP(39, OPTIMISE, "swizzled tile 32 x 128, 1024 x 1", "a quad in and a quad out, streaming")
