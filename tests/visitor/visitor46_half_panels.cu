// In the way of a dense linear algebra library: 32 x 32 elements by 16 x 8 threads, in two panels of 16 columns that
// take turns in one buffer. Leading dimensions, and pointers that are moved on.
#include "step.h"

enum { NB = 32, NX = 16, NY = 8 };

static __device__ void transpose_device(int m, int n, const float *A, int lda, float *AT, int ldat)
{
    __shared__ float sA[NB][NX + 1];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int ibx = blockIdx.x * NB, iby = blockIdx.y * NB;
    int i, j;

    A += ibx + tx + (size_t)(iby + ty) * lda;
    AT += iby + tx + (size_t)(ibx + ty) * ldat;

#pragma unroll
    for (int tile = 0; tile < NB / NX; ++tile) {
        // loads an NX-by-NB panel
        i = ibx + tx + tile * NX;
        j = iby + ty;
        if (i < m) {
#pragma unroll
            for (int j2 = 0; j2 < NB; j2 += NY)
                if (j + j2 < n)
                    sA[ty + j2][tx] = A[(size_t)j2 * lda];
        }
        __syncthreads();

        // saves an NB-by-NX panel
        i = iby + tx;
        j = ibx + ty + tile * NX;
#pragma unroll
        for (int i2 = 0; i2 < NB; i2 += NX) {
            if (i + i2 < n) {
#pragma unroll
                for (int j2 = 0; j2 < NX; j2 += NY)
                    if (j + j2 < m)
                        AT[i2 + (size_t)j2 * ldat] = sA[tx + i2][ty + j2];
            }
        }
        __syncthreads();

        A += NX;
        AT += (size_t)NX * ldat;
    }
}

__global__ void stranspose_kernel(int m, int n, const float *A, int lda, float *AT, int ldat)
{
    transpose_device(m, n, A, lda, AT, ldat);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 threads(NX, NY), grid((n + NB - 1) / NB, (n + NB - 1) / NB);
    stranspose_kernel<<<grid, threads>>>(n, n, in, n, out, n);
}

STEP(46, OPTIMISE, "2 panels of 16 x 32, 16 x 8", "one buffer, both panels after each other")
