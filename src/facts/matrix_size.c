#include "facts/matrix_size.h"

static size_t two_matrices(size_t n)
{
    return 2 * n * n * sizeof(float);
}

size_t matrix_size_default(const struct device *device)
{
    size_t n = 4096;
    while (!device->simulated && two_matrices(n) < 8 * device->l2_bytes)
        n *= 2;
    return n;
}

bool matrix_size_fits_in_l2(const struct device *device, size_t n)
{
    return two_matrices(n) <= device->l2_bytes;
}
