#include "verbs/sweep.h"

#include "facts/run.h"

#include <stdio.h>

// steps/tile.h has them too.
enum { DEFAULT_TILE = 32, DEFAULT_ROWS = 8 };

struct uses {
    bool tile, rows;
};

static bool add_point(struct sweep *sweep, const struct step *step, size_t n,
                      struct geometry geometry, struct uses uses)
{
    if (sweep->count == MAX_POINTS) {
        fprintf(stderr,
                "apodkit: the sweep has more than %d points: fewer steps or values, please\n",
                MAX_POINTS);
        return false;
    }
    sweep->geometries[sweep->count] = geometry;
    struct point *point = &sweep->points[sweep->count++];
    *point = (struct point){.step = {.number = step->number, .n = n},
                            .tile = uses.tile ? geometry.tile : 0,
                            .rows = uses.rows ? geometry.rows : 0};
    snprintf(point->step.title, TITLE_SIZE, "%s", step->title);
    return true;
}

// The values that a step is built for: those given, the default when none is, and when the step does not
// use the word, one that goes with anything.
static struct range values_for(bool used, const struct range *swept, size_t by_default)
{
    return used && swept->count > 0 ? *swept : (struct range){.count = 1, .values = {by_default}};
}

static bool add_geometries(const struct options *options, struct sweep *sweep,
                           const struct step *step, size_t n, struct uses uses)
{
    struct range tiles = values_for(uses.tile, &options->tiles, DEFAULT_TILE);
    struct range rows = values_for(uses.rows, &options->rows, DEFAULT_ROWS);
    for (int t = 0; t < tiles.count; t++)
        for (int r = 0; r < rows.count; r++) {
            struct geometry geometry = {(int)tiles.values[t], (int)rows.values[r]};
            if (!uses.rows && geometry.tile % geometry.rows != 0)
                geometry.rows = geometry.tile;
            if (geometry.tile % geometry.rows != 0) {
                char label[STEP_LABEL_SIZE];
                fprintf(stderr,
                        "apodkit: %s cannot have TILE=%d with ROWS=%d: ROWS must divide TILE "
                        "(steps/tile.h; without TILE= it is %d, without ROWS= %d)\n",
                        step_label(step->number, label), geometry.tile, geometry.rows, DEFAULT_TILE,
                        DEFAULT_ROWS);
                return false;
            }
            if (!add_point(sweep, step, n, geometry, uses))
                return false;
        }
    return true;
}

static bool add_step(const struct options *options, struct sweep *sweep, int place)
{
    const struct step *step = step_at(place);
    bool asked = options->tiles.count > 0 || options->rows.count > 0;
    struct uses uses = {step_has_parameter(step, "TILE"), step_has_parameter(step, "ROWS")};
    bool swept = (uses.tile && options->tiles.count > 0) || (uses.rows && options->rows.count > 0);
    sweep->without_geometry[place] = asked && !swept;
    for (int i = 0; i < options->sizes.count; i++) {
        size_t n = options->sizes.values[i];
        if (step_size(step->number, n) != n) {
            sweep->too_large_for[place] = true;
            continue;
        }
        bool good = swept ? add_geometries(options, sweep, step, n, uses)
                          : add_point(sweep, step, n, (struct geometry){0}, (struct uses){0});
        if (!good)
            return false;
    }
    return true;
}

bool sweep_plan(const struct options *options, struct sweep *sweep)
{
    bool any_geometry = false, asked = options->tiles.count > 0 || options->rows.count > 0;
    *sweep = (struct sweep){0};
    for (int i = 0; i < step_count(); i++) {
        if (options->chosen[i] && !add_step(options, sweep, i))
            return false;
        any_geometry |= options->chosen[i] && !sweep->without_geometry[i];
    }
    if (asked && !any_geometry)
        fprintf(stderr, "apodkit: none of the steps has %s\n",
                options->tiles.count == 0  ? "ROWS"
                : options->rows.count == 0 ? "TILE"
                                           : "TILE or ROWS");
    else if (sweep->count == 0)
        fprintf(stderr, "apodkit: serial steps run at n = %d at most, and every n is larger\n",
                SERIAL_MAX_N);
    else
        return true;
    return false;
}
