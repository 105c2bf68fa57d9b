// Ported from a vendor's OpenCL sample: 16 x 16 work items, one element each, and a local array of 16 rows of 17 in one
// dimension. Group and local numbers as there, with an offset and a width and height of their own.
#include "step.h"

#define BLOCK_DIM 16

#define get_local_id(i) ((i) == 0 ? threadIdx.x : threadIdx.y)
#define get_group_id(i) ((i) == 0 ? blockIdx.x : blockIdx.y)
#define get_global_id(i) (get_group_id(i) * BLOCK_DIM + get_local_id(i))

__global__ void transpose_sample_port(float *odata, const float *idata, int offset,
                                      unsigned int width, unsigned int height)
{
    __shared__ float block[BLOCK_DIM * (BLOCK_DIM + 1)];

    // read the matrix tile into shared memory
    unsigned int xIndex = get_global_id(0);
    unsigned int yIndex = get_global_id(1);
    if ((xIndex + offset < width) && (yIndex < height)) {
        unsigned int index_in = yIndex * width + xIndex + offset;
        block[get_local_id(1) * (BLOCK_DIM + 1) + get_local_id(0)] = idata[index_in];
    }

    __syncthreads();

    // write the transposed matrix tile to global memory
    xIndex = get_group_id(1) * BLOCK_DIM + get_local_id(0);
    yIndex = get_group_id(0) * BLOCK_DIM + get_local_id(1);
    if ((xIndex < height) && (yIndex + offset < width)) {
        unsigned int index_out = yIndex * height + xIndex;
        odata[index_out] = block[get_local_id(0) * (BLOCK_DIM + 1) + get_local_id(1)];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 local(BLOCK_DIM, BLOCK_DIM);
    dim3 groups((n + BLOCK_DIM - 1) / BLOCK_DIM, (n + BLOCK_DIM - 1) / BLOCK_DIM);
    transpose_sample_port<<<groups, local>>>(out, in, 0, n, n);
}

STEP(49, OPTIMISE, "padded tile 16 x 16, 16 x 16", "a sample of OpenCL, ported")
