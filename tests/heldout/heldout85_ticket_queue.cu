// Blocks of 512 threads draw tiles of 64 x 64 from a counter in global memory until none is left, as a work queue
// would; the last draw of a launch sets the counter back to 0.
#include "step.h"

enum { SIDE = 64, ROWS = 8, MOST_BLOCKS = 528 };

__device__ static unsigned next_ticket;

__global__ void __launch_bounds__(SIDE *ROWS)
    transpose_ticket_queue(float *__restrict__ out, const float *__restrict__ in, unsigned n)
{
    __shared__ float tile[SIDE][SIDE + 1];
    __shared__ unsigned ticket;
    unsigned across = (n + SIDE - 1) / SIDE, tiles = across * across;
    unsigned tx = threadIdx.x, ty = threadIdx.y;

    while (true) {
        if (tx == 0 && ty == 0) // each block draws one ticket too many
            ticket = atomicInc(&next_ticket, tiles + gridDim.x - 1);
        __syncthreads();
        unsigned drawn = ticket;
        if (drawn >= tiles)
            return;
        unsigned left = drawn % across * SIDE, top = drawn / across * SIDE;

#pragma unroll
        for (unsigned i = 0; i < SIDE; i += ROWS)
            if (top + ty + i < n && left + tx < n)
                tile[ty + i][tx] = in[(size_t)(top + ty + i) * n + left + tx];
        __syncthreads();
#pragma unroll
        for (unsigned i = 0; i < SIDE; i += ROWS)
            if (left + ty + i < n && top + tx < n)
                out[(size_t)(left + ty + i) * n + top + tx] = tile[tx][ty + i];
    }
}

static void launch(float *out, const float *in, size_t n)
{
    size_t across = (n + SIDE - 1) / SIDE, blocks = across * across;
    if (blocks > MOST_BLOCKS)
        blocks = MOST_BLOCKS;
    transpose_ticket_queue<<<blocks, dim3(SIDE, ROWS)>>>(out, in, n);
}

STEP(85, OPTIMISE, "padded tile 64 x 64, tickets", "blocks draw their tiles by atomicInc")
