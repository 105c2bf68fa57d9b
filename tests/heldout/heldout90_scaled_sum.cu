// A library's general C = alpha * op(A) + beta * B, with leading dimensions and a batch along the grid's z, called for
// a transpose. Tiles of 32 x 32 by 16 x 16 threads, 2 x 2 elements each, 16 apart.
#include "step.h"

enum { TILE = 32, HALF = TILE / 2 };

struct Matrix {
    const float *data;
    int ld;
    long long stride; // from one of the batch to the next
};

__global__ void transpose_scaled_sum(int m, int n, float alpha, Matrix a, float beta, Matrix b,
                                     float *c, int ldc, long long stride_c)
{
    __shared__ float tile[TILE][TILE + 1];

    const float *source = a.data + blockIdx.z * a.stride;
    for (int i = threadIdx.y; i < TILE; i += HALF) {
        for (int j = threadIdx.x; j < TILE; j += HALF) {
            int row = blockIdx.x * TILE + i, col = blockIdx.y * TILE + j;
            if (row < n && col < m)
                tile[i][j] = source[(size_t)row * a.ld + col];
        }
    }
    __syncthreads();

    const float *addend = b.data + blockIdx.z * b.stride;
    float *target = c + blockIdx.z * stride_c;
    for (int i = threadIdx.y; i < TILE; i += HALF) {
        for (int j = threadIdx.x; j < TILE; j += HALF) {
            int row = blockIdx.y * TILE + i, col = blockIdx.x * TILE + j;
            if (row >= m || col >= n)
                continue;
            float sum = alpha * tile[j][i];
            if (beta != 0)
                sum += beta * addend[(size_t)row * b.ld + col];
            target[(size_t)row * ldc + col] = sum;
        }
    }
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned tiles = (n + TILE - 1) / TILE;
    Matrix a = {in, (int)n, (long long)(n * n)}, b = {out, (int)n, (long long)(n * n)};
    transpose_scaled_sum<<<dim3(tiles, tiles, 1), dim3(HALF, HALF)>>>(n, n, 1.0f, a, 0.0f, b, out,
                                                                      n, n * n);
}

STEP(90, OPTIMISE, "alpha A' + beta B, 16 x 16", "a library's general kernel, 2 x 2 a thread")
