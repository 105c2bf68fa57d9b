// Step 6: 16 bytes an access: a thread has four loads under way at once and turns 4 x 4 elements in its
// registers. A swizzle spreads the tile over the banks, without padding.
#include "step.h"

// A tile's side, in elements and in quads of 4 elements; of the narrow kernel, and its rows of threads.
enum { SIDE = 64, QUADS = SIDE / 4, NARROW_SIDE = 32, NARROW_ROWS = 8 };

// The place of a quad in its row of the tile: in each row of 4 x 4 elements, another order.
static __device__ int swizzled(int row, int quad)
{
    return quad ^ (row / 4 % 8);
}

// Of an n that 4 divides: every row starts on 16 bytes.
__global__ void transpose_wide(float *out, const float *in, int n)
{
    __shared__ float4 tile[SIDE][QUADS];

    int x = blockIdx.x * SIDE + threadIdx.x * 4;
    int y = blockIdx.y * SIDE + threadIdx.y * 4;
    if (x < n && y < n) {
        float4 row[4];
        for (int k = 0; k < 4; k++)
            row[k] = *(const float4 *)&in[(size_t)(y + k) * n + x];
        int column = threadIdx.x * 4, place = swizzled(column, threadIdx.y);
        tile[column + 0][place] = make_float4(row[0].x, row[1].x, row[2].x, row[3].x);
        tile[column + 1][place] = make_float4(row[0].y, row[1].y, row[2].y, row[3].y);
        tile[column + 2][place] = make_float4(row[0].z, row[1].z, row[2].z, row[3].z);
        tile[column + 3][place] = make_float4(row[0].w, row[1].w, row[2].w, row[3].w);
    }
    __syncthreads();

    x = blockIdx.y * SIDE + threadIdx.x * 4;
    y = blockIdx.x * SIDE;
    for (int row = threadIdx.y; row < SIDE; row += QUADS)
        if (x < n && y + row < n)
            *(float4 *)&out[(size_t)(y + row) * n + x] = tile[row][swizzled(row, threadIdx.x)];
}

// Of any n, as in step 5: 4 bytes an access.
__global__ void transpose_narrow(float *out, const float *in, int n)
{
    __shared__ float tile[NARROW_SIDE][NARROW_SIDE + 1];

    int x = blockIdx.x * NARROW_SIDE + threadIdx.x;
    int y = blockIdx.y * NARROW_SIDE;
    for (int row = threadIdx.y; row < NARROW_SIDE; row += NARROW_ROWS)
        if (x < n && y + row < n)
            tile[row][threadIdx.x] = in[(size_t)(y + row) * n + x];
    __syncthreads();

    x = blockIdx.y * NARROW_SIDE + threadIdx.x;
    y = blockIdx.x * NARROW_SIDE;
    for (int row = threadIdx.y; row < NARROW_SIDE; row += NARROW_ROWS)
        if (x < n && y + row < n)
            out[(size_t)(y + row) * n + x] = tile[threadIdx.x][row];
}

static void launch(float *out, const float *in, size_t n)
{
    bool wide = n % 4 == 0;
    unsigned side = wide ? SIDE : NARROW_SIDE, tiles = (n + side - 1) / side;
    dim3 grid(tiles, tiles);
    if (wide)
        transpose_wide<<<grid, dim3(QUADS, QUADS)>>>(out, in, n);
    else
        transpose_narrow<<<grid, dim3(NARROW_SIDE, NARROW_ROWS)>>>(out, in, n);
}

STEP(6, OPTIMISE, "16 bytes an access", "four float4 loads a thread, a larger tile, swizzled")
