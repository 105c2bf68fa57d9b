// Loads of 16 bytes, a tile of 64 x 32, stores of 4 bytes. For n that are multiples of 4; else a word
// at a time.
#include "../kernels/launch.h"

enum { ACROSS = 64, DOWN = 32 };

__global__ void transpose_vector_loads(float *out, const float *in, int n)
{
    __shared__ float tile[DOWN][ACROSS + 1];
    int x = blockIdx.x * ACROSS + threadIdx.x * 4, y = blockIdx.y * DOWN + threadIdx.y;
    for (int k = 0; k < DOWN; k += 16) {
        if (n % 4 == 0 && x < n && y + k < n) {
            float4 v = *(const float4 *)(in + (size_t)(y + k) * n + x);
            tile[threadIdx.y + k][threadIdx.x * 4] = v.x;
            tile[threadIdx.y + k][threadIdx.x * 4 + 1] = v.y;
            tile[threadIdx.y + k][threadIdx.x * 4 + 2] = v.z;
            tile[threadIdx.y + k][threadIdx.x * 4 + 3] = v.w;
        } else if (y + k < n) {
            for (int i = 0; i < 4; i++)
                if (x + i < n)
                    tile[threadIdx.y + k][threadIdx.x * 4 + i] = in[(size_t)(y + k) * n + x + i];
        }
    }
    __syncthreads();
    int thread = threadIdx.y * 16 + threadIdx.x, lane = thread % 32, first = thread / 32;
    int to_x = blockIdx.y * DOWN + lane;
    for (int k = first; k < ACROSS; k += 8) {
        int to_y = blockIdx.x * ACROSS + k;
        if (to_x < n && to_y < n)
            out[(size_t)to_y * n + to_x] = tile[lane][k];
    }
}

LAUNCH_2D(transpose_vector_loads, ACROSS, DOWN, 16, 16)
STEP(15, OPTIMISE, "16-byte loads, tile 32 x 64", "wider loads")
