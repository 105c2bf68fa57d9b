// The matrix is cut into four quadrants, and each is transposed by a launch of its own, as a rectangular matrix with a
// leading dimension. A padded tile of 32 x 32 by 32 x 8 threads.
#include "step.h"

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void transpose_quadrant(float *odata, int ldo, const float *idata, int ldi, int height,
                                   int width)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = idata[(size_t)(y + j) * ldi + x];

    __syncthreads();

    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;

    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
        if (x < height && y + j < width)
            odata[(size_t)(y + j) * ldo + x] = tile[threadIdx.x][threadIdx.y + j];
}

static void launch_quadrant(float *out, const float *in, size_t n, size_t top, size_t left,
                            size_t height, size_t width)
{
    if (height == 0 || width == 0)
        return;
    dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM);
    dim3 block(TILE_DIM, BLOCK_ROWS);
    transpose_quadrant<<<grid, block>>>(out + left * n + top, n, in + top * n + left, n, height,
                                        width);
}

static void launch(float *out, const float *in, size_t n)
{
    size_t half = n / 2, rest = n - half;
    launch_quadrant(out, in, n, 0, 0, half, half);
    launch_quadrant(out, in, n, 0, half, half, rest);
    launch_quadrant(out, in, n, half, 0, rest, half);
    launch_quadrant(out, in, n, half, half, rest, rest);
}

STEP(12, OPTIMISE, "padded tile 32 x 32, four launches", "a quadrant a launch, 32 x 8")
