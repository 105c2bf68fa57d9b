// The size of the matrix, n, on a device.
#ifndef MATRIX_SIZE_H
#define MATRIX_SIZE_H

#include "facts/device.h"

// The default: the smallest power of two whose two matrices are at least 8 times the L2, so that DRAM figures mean
// something; at least 4096, and just that on the simulated device.
size_t matrix_size_default(const struct device *device);

// Whether an n x n input and output both fit in the L2 together.
bool matrix_size_fits_in_l2(const struct device *device, size_t n);

#endif
