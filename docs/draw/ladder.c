// The ladder: each step's useful bandwidth on a logarithmic axis, under the roof of the device's own copy.
#include "figures.h"
#include "pictures.h"
#include "svg.h"

#include <math.h>
#include <stdlib.h>

enum {
    LEFT = 280,
    TOP = 84,
    WIDTH = 400,
    ROW = 38,
    BAR = 24,
    COLUMN = 76,
    FIRST_DECADE = -1,
    DECADES = 5
};

static double place_x(double gbs)
{
    return LEFT + (log10(gbs) - FIRST_DECADE) / DECADES * WIDTH;
}

static void draw_axis(FILE *file, const struct run *run, double bottom)
{
    for (int i = 0; i <= DECADES; i++) {
        double gbs = pow(10, FIRST_DECADE + i);
        svg_line(file, place_x(gbs), TOP, place_x(gbs), bottom, FAINT, 1);
        svg_text(file, place_x(gbs), bottom + 20, AT_MIDDLE, 15, INK, "%g", gbs);
    }
    svg_text(file, LEFT + WIDTH / 2, bottom + 46, AT_MIDDLE, 16, INK,
             "useful bandwidth, GB/s (logarithmic)");
    svg_text(file, 24, 34, AT_START, 16, INK, "%s, n = %zu, measured (docs/runs/%s.json)",
             run->device.name, run->n, run->label);
    static const char *const columns[] = {"GB/s", "of copy", "x before"};
    for (int i = 0; i < 3; i++)
        svg_text(file, LEFT + WIDTH + (i + 1) * COLUMN, TOP - 10, AT_END, 15, INK, "%s",
                 columns[i]);
}

// The bar and its numbers; `before` is the bandwidth of the step before, 0 for none.
static void draw_row(FILE *file, double y, double gbs, double roof, double before,
                     const char *color)
{
    double right = LEFT + WIDTH, base = y + BAR - 6;
    svg_rect(file, LEFT, y, place_x(gbs) - LEFT, BAR, color);
    svg_text(file, right + COLUMN, base, AT_END, 16, INK, gbs < 1 ? "%.3f" : "%.0f", gbs);
    svg_text(file, right + 2 * COLUMN, base, AT_END, 16, INK,
             gbs / roof < 0.1 ? "%.2f%%" : "%.1f%%", 100 * gbs / roof);
    if (before > 0)
        svg_text(file, right + 3 * COLUMN, base, AT_END, 16, INK,
                 gbs / before < 100 ? "%.2f" : "%.0f", gbs / before);
}

static void draw_rows(FILE *file, const struct run *run)
{
    double y = TOP + (ROW - BAR) / 2, cpu = bandwidth_gbs(run->n, run->cpu.median_ms), before = 0;
    svg_text(file, LEFT - 12, y + BAR - 6, AT_END, 16, INK, "CPU transpose, all cores");
    draw_row(file, y, cpu, run->copy_gbs.number, 0, GREY);
    for (int i = 0; i < run->count; i++) {
        const struct step_result *step = &run->steps[i];
        double gbs = step->values[BANDWIDTH_GBS].number;
        y += ROW;
        svg_text(file, LEFT - 12, y + BAR - 6, AT_END, 16, INK, "%g. %s", step->number,
                 step->title);
        if (step->n != run->n)
            svg_text(file, place_x(gbs) + 8, y + BAR - 6, AT_START, 15, INK, "at n = %zu", step->n);
        draw_row(file, y, gbs, run->copy_gbs.number, before, BLUE);
        before = gbs;
    }
}

int draw_ladder(FILE *file)
{
    struct run *run = figures_run();
    if (!run)
        return 0;
    double bottom = TOP + (run->count + 1) * ROW, roof = place_x(run->copy_gbs.number);
    svg_open(file, LEFT + WIDTH + 3 * COLUMN + 24, (int)bottom + 64,
             "The useful bandwidth of each step, and of the device's own copy");
    draw_axis(file, run, bottom);
    draw_rows(file, run);
    svg_line(file, roof, TOP - 4, roof, bottom, GREEN, 4);
    svg_text(file, roof, TOP - 10, AT_END, 15, GREEN, "the roof, the device's own copy: %.0f",
             run->copy_gbs.number);
    svg_close(file);
    free(run);
    return 1;
}
