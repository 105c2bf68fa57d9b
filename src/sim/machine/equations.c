// Gauss-Jordan elimination, an equation at a time.
#include "sim/machine/equations.h"

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
    e->is_open = calloc(unknowns + 1, sizeof *e->is_open);
    return e->rows && e->pivot && e->is_open;
}

void equations_close(struct equations *e)
{
    free(e->rows);
    free(e->pivot);
    free(e->is_open);
}

static void clear(const struct equations *e, double *row)
{
    memset(row, 0, (e->unknowns + 1) * sizeof *row);
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

// Those unknowns are zero each. Returns whether that is new.
static int set_zero(struct equations *e, const double *row, double *scratch)
{
    int changed = 0;
    for (uint32_t i = 0; i < e->unknowns; i++) {
        if (row[i] <= zero_factor)
            continue;
        clear(e, scratch);
        scratch[i] = 1;
        changed |= equations_add(e, scratch) == EQUATION_NEW;
    }
    return changed;
}

// Whether two equations have an unknown in common that neither is solved for: then it is taken out of the first, which
// is left in `row`.
static int combine(const struct equations *e, uint32_t one, uint32_t other, double *row)
{
    const double *a = row_at(e, one), *b = row_at(e, other);
    for (uint32_t i = 0; i < e->unknowns; i++) {
        if (fabs(a[i]) <= zero_factor || fabs(b[i]) <= zero_factor)
            continue;
        memcpy(row, a, (e->unknowns + 1) * sizeof *row);
        subtract(e, row, b, a[i] / b[i]);
        return 1;
    }
    return 0;
}

// Looks at each equation, and at each pair. Returns whether anything new was found.
static int use_signs(struct equations *e, double *row, double *scratch)
{
    for (uint32_t i = 0; i < e->count; i++) {
        memcpy(row, row_at(e, i), (e->unknowns + 1) * sizeof *row);
        if (is_zero_sum(e, row) && set_zero(e, row, scratch))
            return 1;
    }
    for (uint32_t i = 0; i < e->count; i++)
        for (uint32_t k = 0; k < e->count; k++)
            if (k != i && e->is_open[i] && e->is_open[k] && combine(e, i, k, row) &&
                is_zero_sum(e, row) && set_zero(e, row, scratch))
                return 1;
    return 0;
}

// Which equations have unknowns besides the one that they are solved for.
static void find_open(struct equations *e)
{
    for (uint32_t i = 0; i < e->count; i++) {
        e->is_open[i] = 0;
        for (uint32_t k = 0; k < e->unknowns; k++)
            e->is_open[i] |= k != e->pivot[i] && fabs(row_at(e, i)[k]) > zero_factor;
    }
}

void equations_use_signs(struct equations *e)
{
    double *scratch = calloc(2 * ((size_t)e->unknowns + 1), sizeof *scratch);
    if (!scratch)
        return;
    do
        find_open(e);
    while (use_signs(e, scratch + e->unknowns + 1, scratch));
    free(scratch);
}

int equations_value(const struct equations *e, double *row, double *value)
{
    row[e->unknowns] = 0;
    uint32_t at = reduce(e, row);
    *value = -row[e->unknowns];
    return fabs(row[at]) < zero_factor;
}
