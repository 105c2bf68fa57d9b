#include "run_data.h"

double useful_bytes(size_t n)
{
    return 2.0 * (double)n * (double)n * sizeof(float);
}

double bandwidth_gbs(size_t n, double ms)
{
    return ms > 0 ? useful_bytes(n) * 1e-9 / (ms * 1e-3) : 0;
}
