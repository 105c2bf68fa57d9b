// From a textbook's chapter on shared memory: a block of 32 x 16 threads moves two blocks of data side by side through
// padded dynamic shared memory, and numbers its threads anew for the columns, which are 16 long.
#include "step.h"

#define BDIMX 32
#define BDIMY 16
#define IPAD 1

__global__ void transpose_smem_unroll_pad_dyn(float *out, const float *in, int nx, int ny)
{
    extern __shared__ float tile[];

    unsigned int ix = blockDim.x * blockIdx.x * 2 + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned int ti = iy * nx + ix;

    // The thread's place in the turned block.
    unsigned int bidx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned int irow = bidx / blockDim.y, icol = bidx % blockDim.y;
    unsigned int ox = blockDim.y * blockIdx.y + icol;
    unsigned int oy = blockDim.x * blockIdx.x * 2 + irow;
    unsigned int to = oy * ny + ox;

    unsigned int pitch = blockDim.x * 2 + IPAD;
    unsigned int row_idx = threadIdx.y * pitch + threadIdx.x;
    unsigned int col_idx = icol * pitch + irow;

    if (iy < ny) {
        if (ix < nx)
            tile[row_idx] = in[ti];
        if (ix + blockDim.x < nx)
            tile[row_idx + blockDim.x] = in[ti + blockDim.x];
    }
    __syncthreads();

    if (ox < ny) {
        if (oy < nx)
            out[to] = tile[col_idx];
        if (oy + blockDim.x < nx)
            out[to + blockDim.x * ny] = tile[col_idx + blockDim.x];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 block(BDIMX, BDIMY), grid((n + 2 * BDIMX - 1) / (2 * BDIMX), (n + BDIMY - 1) / BDIMY);
    transpose_smem_unroll_pad_dyn<<<grid, block, (BDIMX * 2 + IPAD) * BDIMY * sizeof(float)>>>(
        out, in, n, n);
}

STEP(45, OPTIMISE, "padded tile 64 x 16, 32 x 16", "dynamic, two elements a thread")
