// As a compiler of tensor programs would have it: a program turns 64 x 64 elements by four warps, all of them in
// registers before the change of layout, and programs are numbered in groups of eight rows of tiles.
#include "step.h"

enum { BLOCK = 64, THREADS = 128, GROUP = 8, PITCH = BLOCK + 4 };

template <int WORDS>
__global__ void __launch_bounds__(THREADS)
    transpose_compiled(float *__restrict__ out, const float *__restrict__ in, int n)
{
    constexpr int ACROSS = BLOCK / WORDS, STRIDE = THREADS / ACROSS, EACH = BLOCK / STRIDE;
    __shared__ __align__(16) float scratch[BLOCK * PITCH];

    const int program = blockIdx.x, programs = (n + BLOCK - 1) / BLOCK; // along a side
    const int group = program / (GROUP * programs), within = program % (GROUP * programs);
    const int group_size = min(programs - group * GROUP, (int)GROUP);
    const int top = (group * GROUP + within % group_size) * BLOCK;
    const int left = within / group_size * BLOCK;
    const int first = threadIdx.x / ACROSS, along = threadIdx.x % ACROSS * WORDS;

    float held[EACH][WORDS];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        int y = top + first + i * STRIDE, x = left + along;
        bool inside = y < n && x < n;
        if (WORDS == 4) {
            float4 v = inside ? *(const float4 *)&in[y * n + x] : make_float4(0, 0, 0, 0);
            held[i][0] = v.x;
            held[i][1 % WORDS] = v.y;
            held[i][2 % WORDS] = v.z;
            held[i][3 % WORDS] = v.w;
        } else {
            held[i][0] = inside ? in[y * n + x] : 0;
        }
    }

#pragma unroll
    for (int i = 0; i < EACH; i++) {
        float *to = &scratch[(first + i * STRIDE) * PITCH + along];
        if (WORDS == 4)
            *(float4 *)to =
                make_float4(held[i][0], held[i][1 % WORDS], held[i][2 % WORDS], held[i][3 % WORDS]);
        else
            *to = held[i][0];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EACH; i++)
        for (int k = 0; k < WORDS; k++)
            held[i][k] = scratch[(along + k) * PITCH + first + i * STRIDE];

#pragma unroll
    for (int i = 0; i < EACH; i++) {
        int y = left + first + i * STRIDE, x = top + along;
        if (y >= n || x >= n)
            continue;
        if (WORDS == 4)
            *(float4 *)&out[y * n + x] =
                make_float4(held[i][0], held[i][1 % WORDS], held[i][2 % WORDS], held[i][3 % WORDS]);
        else
            out[y * n + x] = held[i][0];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned programs = (n + BLOCK - 1) / BLOCK;
    if (n % 4 == 0)
        transpose_compiled<4><<<programs * programs, THREADS>>>(out, in, n);
    else
        transpose_compiled<1><<<programs * programs, THREADS>>>(out, in, n);
}

STEP(41, OPTIMISE, "64 x 64 by 4 warps, 68 apart", "via registers, in groups of eight rows")
