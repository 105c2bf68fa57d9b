// Planted mistake: the swizzle follows from the row's low bits, but lanes store to rows that are 4 apart.
#include "step.h"
#include "tile.h"

static __device__ int swizzled(int row, int quad)
{
    return quad ^ (row % 8);
}

__global__ void narrow(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < n && y + k < n)
            tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();

    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += ROWS)
        if (x < n && y + k < n)
            out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void wrong_bits(float *out, const float *in, int n)
{
    __shared__ float4 tile[64][16];

    int x = blockIdx.x * 64 + threadIdx.x * 4;
    int y = blockIdx.y * 64 + threadIdx.y * 4;
    if (x < n && y < n) {
        float4 row[4];
        for (int k = 0; k < 4; k++)
            row[k] = *(const float4 *)&in[(size_t)(y + k) * n + x];
        int first = threadIdx.x * 4;
        tile[first + 0][swizzled(first + 0, threadIdx.y)] =
            make_float4(row[0].x, row[1].x, row[2].x, row[3].x);
        tile[first + 1][swizzled(first + 1, threadIdx.y)] =
            make_float4(row[0].y, row[1].y, row[2].y, row[3].y);
        tile[first + 2][swizzled(first + 2, threadIdx.y)] =
            make_float4(row[0].z, row[1].z, row[2].z, row[3].z);
        tile[first + 3][swizzled(first + 3, threadIdx.y)] =
            make_float4(row[0].w, row[1].w, row[2].w, row[3].w);
    }
    __syncthreads();

    x = blockIdx.y * 64 + threadIdx.x * 4;
    y = blockIdx.x * 64;
    for (int k = threadIdx.y; k < 64; k += 16)
        if (x < n && y + k < n)
            *(float4 *)&out[(size_t)(y + k) * n + x] = tile[k][swizzled(k, threadIdx.x)];
}

static void launch(float *out, const float *in, size_t n)
{
    unsigned side = n % 4 == 0 ? 64 : TILE, tiles = (n + side - 1) / side;
    dim3 grid(tiles, tiles);
    if (n % 4 == 0)
        wrong_bits<<<grid, dim3(16, 16)>>>(out, in, n);
    else
        narrow<<<grid, dim3(TILE, ROWS)>>>(out, in, n);
}

EXERCISE(6, OPTIMISE, "my 16 bytes an access",
         "four float4 loads a thread, a larger tile, swizzled",
         {"gld_transactions_per_request", AT_LEAST, 16},
         {"gst_transactions_per_request", AT_LEAST, 16}, {"gld_efficiency", AT_LEAST, 100},
         {"gst_efficiency", AT_LEAST, 100}, {"shared_replay_overhead", AT_MOST, 0})
