#include "facts/run.h"

#include <limits.h>

static double bytes_of_transpose(size_t n)
{
    return 2.0 * (double)n * (double)n * sizeof(float);
}

double useful_bytes(const struct step_result *step)
{
    const struct value *ms = &step->values[TIME_MS], *gbs = &step->values[BANDWIDTH_GBS];
    bool is_transpose = step->number < OWN_KERNEL || !value_known(ms) || !value_known(gbs);
    return is_transpose ? bytes_of_transpose(step->n) : gbs->number * ms->number * 1e6;
}

double bandwidth_gbs(size_t n, double ms)
{
    double bytes = bytes_of_transpose(n);
    return ms > 0 ? bytes * 1e-9 / (ms * 1e-3) : 0;
}

bool went_wrong(const struct step_result *step)
{
    return step->outcome == WRONG || step->outcome == FAILED;
}

bool is_left_out(const struct step_result *step)
{
    return step->outcome == NOT_KNOWN && *step->complaint;
}

bool counts_stand_in(const struct run *run, const struct step_result *step)
{
    return !run->device.simulated && step->values[GLOBAL_LOAD_REQUESTS].provenance == COUNTED;
}

void drop_counts(struct step_result *step, const char *why)
{
    const struct value none = value_unavailable("%s", why);
    for (enum metric i = 0; i < METRICS; i++)
        if (metric_table[i].is_counted || metric_table[i].derive)
            step->values[i] = none;
    for (int i = 0; i < MAX_EXTRAS; i++)
        step->extras[i] = none;
    step->limits = (struct limits){.limiter = LIMITER_UNKNOWN};
}

const struct step *step_of(const struct step_result *result)
{
    int number = (int)result->number;
    if (number != result->number)
        return NULL;
    return result->reference ? step_reference(number) : step_find(number);
}

const struct step_result *reference_result(const struct run *run, int place)
{
    for (int i = run->count; i < step_places(run); i++)
        if (run->steps[i].number == run->steps[place].number)
            return &run->steps[i];
    return NULL;
}

int run_place(const struct run *run, double number)
{
    int place = 0;
    while (place < run->count && run->steps[place].number != number)
        place++;
    return place;
}

const struct step_result *run_find(const struct run *run, double number)
{
    int place = run_place(run, number);
    return place < run->count ? &run->steps[place] : NULL;
}

const struct step_result *run_fastest(const struct run *run)
{
    const struct step_result *best = NULL;
    for (int i = 0; i < run->count; i++) {
        const struct step_result *step = &run->steps[i];
        if (!went_wrong(step) && value_known(&step->values[BANDWIDTH_GBS]) &&
            (!best || step->values[BANDWIDTH_GBS].number > best->values[BANDWIDTH_GBS].number))
            best = step;
    }
    return best;
}

static const struct step_result *next_verified(const struct run *run, int place, int direction)
{
    for (place += direction; place >= 0 && place < run->count; place += direction) {
        const struct step_result *step = &run->steps[place];
        if (step->outcome != PENDING && !went_wrong(step) && !is_left_out(step))
            return step;
    }
    return NULL;
}

const struct step_result *verified_before(const struct run *run, int place)
{
    return next_verified(run, place, -1);
}

const struct step_result *verified_after(const struct run *run, int place)
{
    return next_verified(run, place, 1);
}

struct value speedup_over(const struct step_result *step, const struct step_result *slower)
{
    const struct value *one = &step->values[BANDWIDTH_GBS], *other = &slower->values[BANDWIDTH_GBS];
    if (!value_known(one) || !value_known(other))
        return value_known(one) ? *other : *one;
    return value_of(one->number / other->number, weaker(one->provenance, other->provenance));
}

struct value share_of_copy(const struct run *run, const struct step_result *step)
{
    const struct value *bandwidth = &step->values[BANDWIDTH_GBS], *copy = &run->copy_gbs;
    if (!value_known(bandwidth))
        return *bandwidth;
    if (!value_known(copy))
        return *copy;
    return value_of(100 * bandwidth->number / copy->number,
                    weaker(bandwidth->provenance, copy->provenance));
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

double theoretical_occupancy(const struct device *device, struct step_result *step)
{
    double threads = (double)step->block[0] * step->block[1] * step->block[2];
    double registers = step->values[REGISTERS].number, shared = step->values[SHARED_BYTES].number;
    if (device->sm.warps == 0 || threads < 1 || threads > MAX_BLOCK_THREADS || registers < 1 ||
        registers > UINT_MAX || shared > 1e9)
        return -1;
    struct occupancy occupancy =
        occupancy_of(&device->sm, (unsigned)threads, (unsigned)registers, (size_t)shared);
    step->occupancy_limit = occupancy.limit;
    return occupancy_percent(&device->sm, &occupancy);
}
