// How most kernels of tests/bugs and tests/wrong_steps are launched.
#ifndef LAUNCH_H
#define LAUNCH_H

#include "step.h"

// A row of the matrix a row of the grid.
#define LAUNCH_ROWS(kernel, threads)                                                               \
    static void launch(float *out, const float *in, size_t n)                                      \
    {                                                                                              \
        kernel<<<dim3((n + threads - 1) / threads, n), threads>>>(out, in, n);                     \
    }

// A tile a block.
#define LAUNCH_TILES(kernel, side)                                                                 \
    static void launch(float *out, const float *in, size_t n)                                      \
    {                                                                                              \
        dim3 grid((n + side - 1) / side, (n + side - 1) / side);                                   \
        kernel<<<grid, dim3(side, side)>>>(out, in, n);                                            \
    }

#endif
