// One memory access pattern each, whose counts an NVIDIA H200's counters gave.
#include "microkernels.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void g_stride(float *out, const float *in, int a)
{
    out[THREAD] = in[THREAD * a];
}

__global__ void g_ststride(float *out, const float *in, int a)
{
    out[THREAD * a] = in[THREAD];
}

__global__ void g_off(float *out, const float *in, int a)
{
    out[THREAD] = in[THREAD + a];
}

__global__ void g_bcast(float *out, const float *in, int a)
{
    out[THREAD] = in[THREAD / a];
}

__global__ void g_v4(float4 *out, const float4 *in, int a)
{
    out[THREAD] = in[THREAD + a];
}

__global__ void g_v2(float2 *out, const float2 *in, int a)
{
    out[THREAD] = in[THREAD + a];
}

__global__ void g_half(float *out, const float *in, int a)
{
    if (threadIdx.x % 32 < a)
        out[THREAD] = in[THREAD];
}

__global__ void g_perm(float *out, const float *in, int a)
{
    int u = blockIdx.x * 128 + (threadIdx.x ^ a);
    out[u] = in[u];
}

__global__ void g_bytes(unsigned char *out, const unsigned char *in, int a)
{
    out[THREAD] = in[THREAD * a];
}

__global__ void s_stride(float *out, int a)
{
    __shared__ float m[2048];
    for (int i = threadIdx.x; i < 2048; i += 32)
        m[i] = i;
    __syncthreads();
    out[THREAD] = m[(threadIdx.x * a) & 2047];
}

// Reads words that nobody wrote and writes some twice: only the addresses matter here.
__global__ void s_ststride(float *out, int a)
{
    __shared__ float m[2048];
    m[(threadIdx.x * a) & 2047] = threadIdx.x;
    __syncthreads();
    out[THREAD] = m[threadIdx.x];
}

__global__ void s_v4(float4 *out, int a)
{
    __shared__ float4 m[256];
    float l = threadIdx.x;
    m[threadIdx.x] = make_float4(l, l, l, l);
    __syncthreads();
    out[THREAD] = m[(threadIdx.x * a) & 31];
}

__global__ void s_v2(float2 *out, int a)
{
    __shared__ float2 m[256];
    float l = threadIdx.x;
    m[threadIdx.x] = make_float2(l, l);
    __syncthreads();
    out[THREAD] = m[(threadIdx.x * a) & 31];
}

__global__ void s_bcast(float *out, int a)
{
    __shared__ float m[64];
    m[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[THREAD] = m[threadIdx.x / a];
}

__global__ void d_div(float *out, const float *in, int a)
{
    if (threadIdx.x % 32 < a)
        out[THREAD] = in[THREAD] * 2;
    else
        out[THREAD] = -in[THREAD];
}

__global__ void t_elem(float *out, const float *in, int n)
{
    int col = THREAD, row = blockIdx.y;
    if (col < n)
        out[col * n + row] = in[row * n + col];
}

__global__ void t_pad32x8(float *out, const float *in, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < n && y + k < n)
            out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void t_tile16(float *out, const float *in, int n)
{
    __shared__ float tile[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// A case of the switch.
#define LAUNCH(number, kernel, blocks, threads, ...)                                               \
    case number:                                                                                   \
        return kernel<<<blocks, threads>>>(__VA_ARGS__)

extern "C" void microkernel_launch(enum microkernel kernel, float *out, const float *in, int a)
{
    dim3 pad((a + 31) / 32, (a + 31) / 32), tile((a + 15) / 16, (a + 15) / 16);
    switch (kernel) {
        LAUNCH(G_STRIDE, g_stride, 64, 128, out, in, a);
        LAUNCH(G_STSTRIDE, g_ststride, 64, 128, out, in, a);
        LAUNCH(G_OFF, g_off, 64, 128, out, in, a);
        LAUNCH(G_BCAST, g_bcast, 64, 128, out, in, a);
        LAUNCH(G_V4, g_v4, 64, 128, (float4 *)out, (const float4 *)in, a);
        LAUNCH(G_V2, g_v2, 64, 128, (float2 *)out, (const float2 *)in, a);
        LAUNCH(G_HALF, g_half, 64, 128, out, in, a);
        LAUNCH(G_PERM, g_perm, 64, 128, out, in, a);
        LAUNCH(G_BYTES, g_bytes, 64, 128, (unsigned char *)out, (const unsigned char *)in, a);
        LAUNCH(S_STRIDE, s_stride, 64, 32, out, a);
        LAUNCH(S_STSTRIDE, s_ststride, 64, 32, out, a);
        LAUNCH(S_V4, s_v4, 64, 32, (float4 *)out, a);
        LAUNCH(S_V2, s_v2, 64, 32, (float2 *)out, a);
        LAUNCH(S_BCAST, s_bcast, 64, 32, out, a);
        LAUNCH(D_DIV, d_div, 64, 128, out, in, a);
        LAUNCH(T_ELEM, t_elem, dim3((a + 1023) / 1024, a), 1024, out, in, a);
        LAUNCH(T_PAD32X8, t_pad32x8, pad, dim3(32, 8), out, in, a);
        LAUNCH(T_TILE16, t_tile16, tile, dim3(16, 16), out, in, a);
    }
}
