// What a tile compiler such as Triton makes of a masked load, a change of layout and a masked store: a block of 64 x 32
// by four warps, 16 bytes along whichever side is contiguous. Programs go over the matrix in groups of eight rows.
#include "step.h"

#define YBLOCK 64
#define XBLOCK 32
#define GROUP 8
#define NUM_WARPS 4

struct Program {
    int y, x;
};

__device__ static Program program_of(int pid, int programs_y, int programs_x)
{
    int in_group = GROUP * programs_x;
    int first_y = pid / in_group * GROUP;
    int group_size = min(programs_y - first_y, GROUP);
    return Program{first_y + pid % in_group % group_size, pid % in_group / group_size};
}

// The scratch's index of an element: every fourth row is turned by one quad more.
__device__ static int scratch_index(int y, int x)
{
    return y * XBLOCK + (x + y / 4 * 4) % XBLOCK;
}

template <bool DIVISIBLE_BY_16>
__global__ void __launch_bounds__(NUM_WARPS * 32)
    transpose_generated_blocks(const float *in_ptr0, float *out_ptr0, int ynumel, int xnumel)
{
    __shared__ __align__(16) float scratch[YBLOCK * XBLOCK];
    Program program =
        program_of(blockIdx.x, (ynumel + YBLOCK - 1) / YBLOCK, (xnumel + XBLOCK - 1) / XBLOCK);
    int yoffset = program.y * YBLOCK, xoffset = program.x * XBLOCK;
    int tid = threadIdx.x;

    // sizePerThread [1, 4], threadsPerWarp [4, 8], warpsPerCTA [4, 1]
    int x0 = tid % 8 * 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        int y0 = tid / 8 + 16 * i;
        const float *ptr = in_ptr0 + (long long)xnumel * (yoffset + y0) + xoffset + x0;
        float4 tmp0 = make_float4(0, 0, 0, 0);
        if (yoffset + y0 < ynumel) {
            if (DIVISIBLE_BY_16) {
                if (xoffset + x0 < xnumel)
                    tmp0 = *(const float4 *)ptr;
            } else {
                tmp0.x = xoffset + x0 < xnumel ? ptr[0] : 0;
                tmp0.y = xoffset + x0 + 1 < xnumel ? ptr[1] : 0;
                tmp0.z = xoffset + x0 + 2 < xnumel ? ptr[2] : 0;
                tmp0.w = xoffset + x0 + 3 < xnumel ? ptr[3] : 0;
            }
        }
        *(float4 *)&scratch[scratch_index(y0, x0)] = tmp0;
    }
    __syncthreads();

    // sizePerThread [4, 1], threadsPerWarp [16, 2], warpsPerCTA [1, 4]
    int y1 = tid % 16 * 4;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        int x1 = tid / 16 + 8 * i;
        float *ptr = out_ptr0 + (long long)ynumel * (xoffset + x1) + yoffset + y1;
        if (xoffset + x1 >= xnumel)
            continue;
        float tmp1[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
            tmp1[k] = scratch[scratch_index(y1 + k, x1)];
        if (DIVISIBLE_BY_16) {
            if (yoffset + y1 < ynumel)
                *(float4 *)ptr = make_float4(tmp1[0], tmp1[1], tmp1[2], tmp1[3]);
        } else {
#pragma unroll
            for (int k = 0; k < 4; ++k)
                if (yoffset + y1 + k < ynumel)
                    ptr[k] = tmp1[k];
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    size_t programs = (n + YBLOCK - 1) / YBLOCK * ((n + XBLOCK - 1) / XBLOCK);
    if (n % 16 == 0)
        transpose_generated_blocks<true><<<programs, NUM_WARPS * 32>>>(in, out, n, n);
    else
        transpose_generated_blocks<false><<<programs, NUM_WARPS * 32>>>(in, out, n, n);
}

STEP(24, OPTIMISE, "generated, tile 64 x 32, 128 x 1", "two layouts, groups of eight rows")
