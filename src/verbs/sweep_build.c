#include "verbs/sweep.h"

#include "base/platform.h"
#include "base/progress.h"
#include "verbs/inner_make.h"

enum { MINE_SIZE = 8 + 12 * MAX_STEPS };

// "build/gpu-16x8": the program lies in it as in build/gpu/, three levels below the kit (programs.h).
static void folder_of(struct geometry geometry, char folder[64])
{
    snprintf(folder, 64, "build/%s-%dx%d", platform.simulated ? "sim" : "gpu", geometry.tile,
             geometry.rows);
}

bool geometry_program(struct geometry geometry, char path[KIT_PATH_SIZE])
{
    char folder[64], inside[80];
    if (geometry.tile == 0)
        return program_path(platform.simulated, path);
    folder_of(geometry, folder);
    snprintf(inside, sizeof inside, "%s/run", folder);
    return kit_path(inside, path);
}

// The steps that the program needs: up to the highest of the sweep's, so that a later one that does not
// compile is no hindrance.
static int last_step(const struct sweep *sweep)
{
    int last = 0;
    for (int i = 0; i < sweep->count; i++)
        last = sweep->points[i].step.number > last ? (int)sweep->points[i].step.number : last;
    return last;
}

// "MINE=2 4": the exercises that stand for steps in this program do so in another geometry's too.
static void list_exercises(char list[MINE_SIZE])
{
    int used = snprintf(list, MINE_SIZE, "MINE=");
    for (int i = 0; i < step_count(); i++)
        if (step_at(i)->goals)
            used += snprintf(list + used, MINE_SIZE - (size_t)used, "%d ", step_at(i)->number);
}

static bool make(const struct sweep *sweep, struct geometry geometry, struct child_end *end)
{
    char folder[64], tile[32], rows[32], last[32], place[80], target[80], mine[MINE_SIZE];
    folder_of(geometry, folder);
    snprintf(tile, sizeof tile, "TILE=%d", geometry.tile);
    snprintf(rows, sizeof rows, "ROWS=%d", geometry.rows);
    snprintf(last, sizeof last, "LAST=%d", last_step(sweep));
    snprintf(place, sizeof place, "%s=%s", platform.simulated ? "S" : "K", folder);
    snprintf(target, sizeof target, "%s/run", folder);
    list_exercises(mine);
    return inner_make((const char *const[]){tile, rows, last, mine, place, target, NULL}, end);
}

static bool is_same(struct geometry a, struct geometry b)
{
    return a.tile == b.tile && a.rows == b.rows;
}

// Marks the points of a geometry that was not built.
static void fail_points(struct sweep *sweep, struct geometry geometry, const struct child_end *end)
{
    progress_wipe();
    fprintf(stderr, "apodkit: make TILE=%d ROWS=%d does not build:\n%s", geometry.tile,
            geometry.rows, end->said);
    for (int i = 0; i < sweep->count; i++)
        if (is_same(sweep->geometries[i], geometry))
            point_fail(&sweep->points[i],
                       "not run: it does not build, for the reason that make gives");
}

bool sweep_build(struct sweep *sweep)
{
    for (int i = 0; i < sweep->count; i++) {
        struct geometry geometry = sweep->geometries[i];
        bool seen = geometry.tile == 0;
        for (int j = 0; j < i && !seen; j++)
            seen = is_same(sweep->geometries[j], geometry);
        if (seen)
            continue;
        char now[80];
        snprintf(now, sizeof now, "building TILE=%d ROWS=%d", geometry.tile, geometry.rows);
        progress_show(0, sweep->count, now);
        struct child_end end;
        if (make(sweep, geometry, &end))
            continue;
        if (end.error)
            return false;
        fail_points(sweep, geometry, &end);
    }
    return true;
}
