// 4 x 4 elements a thread in registers, and 8 x 4 threads a warp, so that a warp reads whole lines and writes half ones
// without shared memory. Blocks of one dimension, 64 threads, that cover 32 x 32 elements.
#include "step.h"

struct Matrix4 {
    float v[4][4];
};

template <int VEC>
__device__ void load_patch(Matrix4 &m, const float *__restrict__ in, int n, int row, int col)
{
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float *p = in + (size_t)(row + i) * n + col;
        if (VEC == 4) {
            float4 q = *(const float4 *)p;
            m.v[i][0] = q.x;
            m.v[i][1] = q.y;
            m.v[i][2] = q.z;
            m.v[i][3] = q.w;
        } else {
#pragma unroll
            for (int j = 0; j < 4; ++j)
                m.v[i][j] = row + i < n && col + j < n ? p[j] : 0.f;
        }
    }
}

template <int VEC>
__device__ void store_patch(const Matrix4 &m, float *__restrict__ out, int n, int row, int col)
{
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        float *p = out + (size_t)(col + j) * n + row;
        if (VEC == 4) {
            *(float4 *)p = make_float4(m.v[0][j], m.v[1][j], m.v[2][j], m.v[3][j]);
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                if (row + i < n && col + j < n)
                    p[i] = m.v[i][j];
        }
    }
}

template <int VEC>
__global__ void transpose_four_by_eight_lanes(float *__restrict__ out, const float *__restrict__ in,
                                              int n)
{
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int col = blockIdx.x * 32 + (lane & 7) * 4;
    int row = blockIdx.y * 32 + warp * 16 + (lane >> 3) * 4;
    if (row >= n || col >= n)
        return;

    Matrix4 m;
    load_patch<VEC>(m, in, n, row, col);
    store_patch<VEC>(m, out, n, row, col);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + 31) / 32, (n + 31) / 32);
    if (n % 4 == 0)
        transpose_four_by_eight_lanes<4><<<grid, 64>>>(out, in, n);
    else
        transpose_four_by_eight_lanes<1><<<grid, 64>>>(out, in, n);
}

STEP(17, OPTIMISE, "4 x 4 in registers, 64 x 1", "8 x 4 lanes: lines in, half lines out")
