// Each thread starts its 40 rows at another one, "so that not all ask for the same row", and puts them in order in an
// array of its own: as the index varies, that lies in local memory. Blocks of 32 x 3.
#include "../kernels/launch.h"

#define DEPTH 40

__global__ void transpose_local_array(float *out, const float *in, int n)
{
    int col = blockIdx.x * 32 + threadIdx.x;
    int top = (blockIdx.y * 3 + threadIdx.y) * DEPTH;
    if (col >= n)
        return;

    float column[DEPTH];
    int k = threadIdx.x % DEPTH;
#pragma unroll 1
    for (int i = 0; i < DEPTH; i++) {
        column[k] = top + k < n ? in[(top + k) * n + col] : 0;
        if (++k == DEPTH)
            k = 0;
    }
    for (int i = 0; i < DEPTH && top + i < n; i++)
        out[col * n + top + i] = column[i];
}

LAUNCH_2D(transpose_local_array, 32, 3 * DEPTH, 32, 3)
STEP(96, PARALLELISE, "40 x 1 a thread by local memory", "an array with an index that varies")
