// The roofline of kernels that move and do not compute: of each step what it moves at L1, at the L2 and at DRAM over
// its time, below the bandwidths that the device was measured to have.
#include "facts/memory_ways.h"
#include "files/html_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROOFS = 2 + ROOFS,
    MOST_LABELS = 8, // of steps: more are shown by their numbers
};

struct ceiling {
    const char *key, *name;
    struct value gbs;
};

static double y_of(const struct html_axis *axis, double gbs)
{
    return html_axis_place(axis, gbs, PLOT_BOTTOM, PLOT_TOP);
}

static double step_width(const struct run *run)
{
    return (double)(PLOT_RIGHT - PLOT_LEFT) / run->count;
}

static double x_of(const struct run *run, int place)
{
    return PLOT_LEFT + (place + 0.5) * step_width(run);
}

static int compare_ceilings(const void *a, const void *b)
{
    double x = ((const struct ceiling *)a)->gbs.number, y = ((const struct ceiling *)b)->gbs.number;
    return (x < y) - (x > y);
}

// The highest first. Returns how many there are.
static int find_roofs(const struct run *run, struct ceiling roofs[MOST_ROOFS])
{
    int count = 0;
    double peak = run->device.dram_peak_gbs;
    if (peak > 0)
        roofs[count++] = (struct ceiling){"peak", "DRAM peak", value_of(peak, COMPUTED)};
    if (value_known(&run->copy_gbs))
        roofs[count++] = (struct ceiling){"copy", "own copy", run->copy_gbs};
    for (enum roof roof = 0; roof < ROOFS; roof++)
        if (value_known(&run->roofs[roof].gbs))
            roofs[count++] =
                (struct ceiling){roof_rows[roof].key, roof_rows[roof].label, run->roofs[roof].gbs};
    qsort(roofs, (size_t)count, sizeof *roofs, compare_ceilings);
    return count;
}

// Of a step that went wrong nothing is shown.
static struct value mark_gbs(const struct step_result *step, enum memory_unit unit)
{
    return went_wrong(step) ? value_unavailable("%s", html_wrong(step)) : memory_gbs(step, unit);
}

static struct html_axis find_axis(const struct run *run, const struct ceiling *roofs,
                                  int roof_count)
{
    struct html_axis axis = HTML_NO_AXIS;
    for (int i = 0; i < run->count; i++)
        for (enum memory_unit unit = UNIT_L1; unit < MEMORY_UNITS; unit++) {
            struct value gbs = mark_gbs(&run->steps[i], unit);
            if (value_known(&gbs) && gbs.number > 0)
                html_axis_widen(&axis, gbs.number);
        }
    for (int i = 0; i < roof_count; i++)
        html_axis_widen(&axis, roofs[i].gbs.number);
    return axis;
}

// Names do not cover each other: each is at its line, or below the one before.
static void add_roofs(cJSON *object, const struct html_axis *axis, const struct ceiling *roofs,
                      int count)
{
    cJSON *array = json_array(object, "roofs");
    double free = 0;
    for (int i = 0; i < count; i++) {
        cJSON *roof = json_object(array, NULL);
        double y = y_of(axis, roofs[i].gbs.number), label = fmax(y + 4, free);
        free = label + 2 * PLOT_LABEL_GAP;
        json_add(roof, "roof", roofs[i].key);
        json_add(roof, "name", roofs[i].name);
        html_add_place(roof, "y", y);
        html_add_place(roof, "label_y", label);
        html_add_place(roof, "figure_y", label + PLOT_LABEL_GAP);
        html_add_figure(roof, BANDWIDTH_GBS, &roofs[i].gbs);
    }
}

// One of three marks: a circle, a square, a triangle.
static void add_mark(cJSON *marks, const struct html_axis *axis, double x, enum memory_unit unit,
                     const struct value *gbs)
{
    enum { RADIUS = 6 };
    double y = y_of(axis, gbs->number);
    cJSON *mark = json_object(marks, NULL);
    json_add(mark, "name", unit == UNIT_L1 ? "L1" : memory_units[unit].name);
    json_add_bool(mark, "is_l1", unit == UNIT_L1);
    json_add_bool(mark, "is_l2", unit == UNIT_L2);
    json_add_bool(mark, "is_dram", unit == UNIT_DRAM);
    html_add_place(mark, "x", x);
    html_add_place(mark, "y", y);
    html_add_place(mark, "left", x - RADIUS);
    html_add_place(mark, "right", x + RADIUS);
    html_add_place(mark, "top", y - RADIUS);
    html_add_place(mark, "bottom", y + RADIUS);
    html_add_figure(mark, BANDWIDTH_GBS, gbs);
}

// Of many steps by its number alone; where it is still wider than its place, every other one lies lower.
static void add_label(cJSON *object, const struct run *run, int place)
{
    enum { LETTER_WIDTH = 7, LABELS_Y = 350, LOWER = 16 };
    double number = run->steps[place].number;
    char label[STEP_LABEL_SIZE];
    step_label(number, label);
    if (run->count > MOST_LABELS && number < OWN_KERNEL)
        snprintf(label, sizeof label, "%g", number);
    bool is_wide = (double)strlen(label) * LETTER_WIDTH > step_width(run);
    json_add(object, "label", label);
    html_add_place(object, "x", x_of(run, place));
    html_add_place(object, "label_y", LABELS_Y + (is_wide && place % 2 ? LOWER : 0));
}

static void add_step(cJSON *object, const struct run *run, int place, const struct html_axis *axis)
{
    cJSON *marks = json_array(object, "marks");
    double beside = fmin(10, step_width(run) / 3.5);
    add_label(object, run, place);
    for (int unit = UNIT_L1; unit < MEMORY_UNITS; unit++) {
        struct value gbs = mark_gbs(&run->steps[place], unit);
        if (value_known(&gbs) && gbs.number > 0)
            add_mark(marks, axis, x_of(run, place) + (unit - UNIT_L2) * beside, unit, &gbs);
    }
}

// Why a step has no mark for the unit; "" where it has one.
static const char *why_no_mark(const struct step_result *step, enum memory_unit unit,
                               struct value *gbs)
{
    *gbs = mark_gbs(step, unit);
    return !value_known(gbs) ? gbs->why : gbs->number > 0 ? "" : "it moved nothing there";
}

// Whether a step before this one lacks the unit's mark for the same reason.
static bool is_told(const struct run *run, int place, enum memory_unit unit, const char *why)
{
    struct value gbs;
    bool told = false;
    for (int i = 0; i < place && !told; i++)
        told = strcmp(why_no_mark(&run->steps[i], unit, &gbs), why) == 0;
    return told;
}

static void add_missing(cJSON *missing, const struct run *run)
{
    for (int i = 0; i < run->count; i++) {
        if (went_wrong(&run->steps[i])) {
            char label[STEP_LABEL_SIZE];
            cJSON *wrong = json_object(missing, NULL);
            json_add(wrong, "label", step_label(run->steps[i].number, label));
            json_add(wrong, "wrong", html_wrong(&run->steps[i]));
            continue;
        }
        for (enum memory_unit unit = UNIT_L1; unit < MEMORY_UNITS; unit++) {
            struct value gbs;
            const char *why = why_no_mark(&run->steps[i], unit, &gbs);
            if (*why == '\0' || is_told(run, i, unit, why))
                continue;
            cJSON *reason = json_object(missing, NULL);
            char label[STEP_LABEL_SIZE];
            json_add(reason, "label", step_label(run->steps[i].number, label));
            json_add(reason, "name", memory_units[unit].name);
            json_add(reason, "why", why);
        }
    }
}

void html_add_roofline(cJSON *object, const struct run *run)
{
    struct ceiling roofs[MOST_ROOFS];
    int roof_count = find_roofs(run, roofs);
    struct html_axis axis = find_axis(run, roofs, roof_count);
    if (!(axis.most > axis.least)) {
        json_add(object, "no_roofline", "the run has neither a time and counts, nor a roof");
        return;
    }
    cJSON *roofline = json_object(object, "roofline"), *steps = json_array(roofline, "steps");
    html_add_ticks(roofline, "ticks", &axis, PLOT_BOTTOM, PLOT_TOP);
    add_roofs(roofline, &axis, roofs, roof_count);
    for (int i = 0; i < run->count; i++)
        add_step(json_object(steps, NULL), run, i, &axis);
    add_missing(json_array(roofline, "missing"), run);
}
