// How most kernels of tests/ that are steps are launched.
#ifndef LAUNCH_H
#define LAUNCH_H

#include "step.h"

// A row of the matrix a row of the grid.
#define LAUNCH_ROWS(kernel, threads)                                                               \
    static void launch(float *out, const float *in, size_t n)                                      \
    {                                                                                              \
        kernel<<<dim3((n - 1) / (threads) + 1, n), threads>>>(out, in, n);                         \
    }

// A block of x times y threads for a part of the matrix that is so many elements wide and high; and as high as wide, a
// thread an element.
#define LAUNCH_2D(kernel, across, down, x, y)                                                      \
    static void launch(float *out, const float *in, size_t n)                                      \
    {                                                                                              \
        dim3 grid((n - 1) / (across) + 1, (n - 1) / (down) + 1);                                   \
        kernel<<<grid, dim3(x, y)>>>(out, in, n);                                                  \
    }
#define LAUNCH_TILES(kernel, side) LAUNCH_2D(kernel, side, side, side, side)

#endif
