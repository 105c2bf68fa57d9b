#include "facts/run_data.h"

double bandwidth_gbs(size_t n, double ms)
{
    double bytes = 2.0 * (double)n * (double)n * sizeof(float);
    return ms > 0 ? bytes * 1e-9 / (ms * 1e-3) : 0;
}

const struct step *result_step(const struct result *result)
{
    return result->reference ? step_reference(result->step) : step_find(result->step);
}

const struct result *reference_result(const struct run_data *run, int place)
{
    for (int i = run->count; i < run->count + run->reference_count; i++)
        if (run->results[i].step == run->results[place].step)
            return &run->results[i];
    return NULL;
}

static bool is_serial(const struct step *step)
{
    return step && step->stage == ASSESS;
}

size_t step_size(int step, size_t n)
{
    bool serial =
        is_serial(step_find(step)) || (step_find(step)->goals && is_serial(step_find(step - 1)));
    return serial && n > SERIAL_MAX_N ? SERIAL_MAX_N : n;
}
