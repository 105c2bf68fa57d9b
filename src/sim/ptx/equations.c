// Gauss-Jordan elimination, an equation at a time.
#include "sim/ptx/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Counts go up to 2^50; factors are small whole numbers.
static const double zero_factor = 1e-9, zero_count = 1e-6;

static double *row_at(const struct equations *e, uint32_t i)
{
    return e->rows + (size_t)i * (e->unknowns + 1);
}

int equations_open(struct equations *e, uint32_t unknowns)
{
    *e = (struct equations){.unknowns = unknowns};
    e->rows = calloc((size_t)unknowns * (unknowns + 1) + 1, sizeof *e->rows);
    e->pivot = calloc(unknowns + 1, sizeof *e->pivot);
    return e->rows && e->pivot;
}

void equations_close(struct equations *e)
{
    free(e->rows);
    free(e->pivot);
}

// Takes `factor` times the other row away.
static void subtract(const struct equations *e, double *row, const double *other, double factor)
{
    for (uint32_t i = 0; i <= e->unknowns; i++)
        row[i] -= factor * other[i];
}

// Takes the unknowns out that equations are solved for. Returns the place of the largest factor that is left.
static uint32_t reduce(const struct equations *e, double *row)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < e->count; i++)
        if (row[e->pivot[i]] != 0)
            subtract(e, row, row_at(e, i), row[e->pivot[i]]);
    for (uint32_t i = 1; i < e->unknowns; i++)
        if (fabs(row[i]) > fabs(row[largest]))
            largest = i;
    return largest;
}

static int is_zero(double right, double scale)
{
    return fabs(right) <= zero_count * (1 + scale);
}

enum equation_outcome equations_add(struct equations *e, double *row)
{
    double scale = fabs(row[e->unknowns]);
    uint32_t at = reduce(e, row);
    if (fabs(row[at]) < zero_factor)
        return is_zero(row[e->unknowns], scale) ? EQUATION_KNOWN : EQUATION_WRONG;
    double factor = 1 / row[at];
    for (uint32_t i = 0; i <= e->unknowns; i++)
        row[i] = fabs(row[i]) < zero_factor ? 0 : row[i] * factor;
    for (uint32_t i = 0; i < e->count; i++)
        if (row_at(e, i)[at] != 0)
            subtract(e, row_at(e, i), row, row_at(e, i)[at]);
    memcpy(row_at(e, e->count), row, (e->unknowns + 1) * sizeof *row);
    e->pivot[e->count++] = at;
    return EQUATION_NEW;
}

// Whether the equation says that unknowns of one sign are zero together, and more than one.
static int is_zero_sum(const struct equations *e, const double *row)
{
    int others = 0;
    for (uint32_t i = 0; i < e->unknowns; i++) {
        if (row[i] < -zero_factor)
            return 0;
        others += row[i] > zero_factor;
    }
    return others > 1 && is_zero(row[e->unknowns], 0);
}

static int use_sign_of(struct equations *e, uint32_t at, double *scratch)
{
    int changed = 0;
    for (uint32_t i = 0; i < e->unknowns; i++) {
        if (fabs(row_at(e, at)[i]) <= zero_factor)
            continue;
        memset(scratch, 0, (e->unknowns + 1) * sizeof *scratch);
        scratch[i] = 1;
        changed |= equations_add(e, scratch) == EQUATION_NEW;
    }
    return changed;
}

void equations_use_signs(struct equations *e)
{
    double *scratch = calloc((size_t)e->unknowns + 1, sizeof *scratch);
    for (int changed = scratch != NULL; changed;) {
        changed = 0;
        for (uint32_t i = 0; i < e->count && !changed; i++)
            changed = is_zero_sum(e, row_at(e, i)) && use_sign_of(e, i, scratch);
    }
    free(scratch);
}

int equations_value(const struct equations *e, double *row, double *value)
{
    row[e->unknowns] = 0;
    uint32_t at = reduce(e, row);
    *value = -row[e->unknowns];
    return fabs(row[at]) < zero_factor;
}
