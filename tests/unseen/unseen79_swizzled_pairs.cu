// A tile of 64 x 64, swizzled by exclusive or, by blocks of 1024: loads of 8 bytes, stores of 4.
#include "step.h"

template <bool EVEN>
__global__ void __launch_bounds__(1024) transpose_swizzled_pairs(float *out, const float *in, int n)
{
    __shared__ float tile[64 * 64];
    int bx = blockIdx.x * 64, by = blockIdx.y * 64;

    for (int r = threadIdx.y; r < 64; r += 32) {
        int c = threadIdx.x * 2;
        if (by + r >= n || bx + c >= n)
            continue;
        const float *from = in + (by + r) * n + bx + c;
        float2 v;
        if (EVEN) {
            v = *(const float2 *)from;
        } else {
            v.x = from[0];
            v.y = bx + c + 1 < n ? from[1] : 0;
        }
        tile[r * 64 + (c ^ (r & 31))] = v.x;
        tile[r * 64 + ((c + 1) ^ (r & 31))] = v.y;
    }
    __syncthreads();

    for (int c = threadIdx.y; c < 64; c += 32)
        for (int r = threadIdx.x; r < 64; r += 32)
            if (bx + c < n && by + r < n)
                out[(bx + c) * n + by + r] = tile[r * 64 + (c ^ (r & 31))];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + 63) / 64;
    if (n % 2 == 0)
        transpose_swizzled_pairs<true><<<dim3(tiles, tiles), dim3(32, 32)>>>(out, in, n);
    else
        transpose_swizzled_pairs<false><<<dim3(tiles, tiles), dim3(32, 32)>>>(out, in, n);
}

STEP(79, OPTIMISE, "swizzled tile 64 x 64, 8-byte loads", "1024 threads, four elements each")
