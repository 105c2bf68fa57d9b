#include "run_data.h"

double bandwidth_gbs(size_t n, double ms)
{
    double bytes = 2.0 * (double)n * (double)n * sizeof(float);
    return ms > 0 ? bytes * 1e-9 / (ms * 1e-3) : 0;
}
