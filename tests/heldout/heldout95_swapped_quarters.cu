// Eklundh's method: a tile of 32 x 32 is turned within shared memory in five rounds, which swap the upper right with
// the lower left quarter of all squares of 32 x 32, then of 16 x 16, and so on; a thread swaps a pair in each.
#include "../kernels/launch.h"

#define SIDE 32
#define ROWS 8

// v with a 0 between its bits, before the one that counts as `bit`.
__device__ static int spread(int v, int bit)
{
    int low = v & (bit - 1);
    return (v - low) * 2 + low;
}

__global__ void transpose_swapped_quarters(float *out, const float *in, int n)
{
    __shared__ float tile[SIDE][SIDE];

    int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE, x = threadIdx.x;
    for (int i = threadIdx.y; i < SIDE; i += ROWS) {
        bool inside = top + i < n && left + x < n;
        tile[i][x] = inside ? in[(size_t)(top + i) * n + left + x] : 0;
    }

    int pair = threadIdx.y * SIDE + x;
    for (int half = SIDE / 2; half > 0; half /= 2) {
        __syncthreads();
        int row = spread(pair / (SIDE / 2), half), col = spread(pair % (SIDE / 2), half);
        float swapped = tile[row][col + half];
        tile[row][col + half] = tile[row + half][col];
        tile[row + half][col] = swapped;
    }
    __syncthreads();

    for (int i = threadIdx.y; i < SIDE; i += ROWS)
        if (left + i < n && top + x < n)
            out[(size_t)(left + i) * n + top + x] = tile[i][x];
}

LAUNCH_2D(transpose_swapped_quarters, SIDE, SIDE, SIDE, ROWS)
STEP(95, OPTIMISE, "quarters swapped in the tile, 32 x 8", "five rounds in shared memory, in place")
