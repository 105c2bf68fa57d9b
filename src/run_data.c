#include "run_data.h"

double bandwidth_gbs(size_t n, double ms)
{
    double bytes = 2.0 * (double)n * (double)n * sizeof(float);
    return ms > 0 ? bytes * 1e-9 / (ms * 1e-3) : 0;
}

size_t step_size(int step, size_t n)
{
    bool serial = step_find(step)->stage == ASSESS;
    return serial && n > SERIAL_MAX_N ? SERIAL_MAX_N : n;
}
