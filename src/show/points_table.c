// Points as a table for people. The columns that say which point it is come first in every block of
// columns; the chosen metrics follow, as many as fit.
#include "facts/format.h"
#include "facts/points.h"

#include <string.h>

enum { GAP = 2, N_WIDTH = 9, GEOMETRY_WIDTH = 6, TIME_WIDTH = 12, OTHER_WIDTH = 10 };

struct table {
    FILE *file;
    const struct style *style;
    const struct point *points; // of one step
    int count;
    const struct selection *selection;
    bool has_tile, has_rows;
};

static int metric_width(enum metric metric)
{
    int key = (int)strlen(metric_table[metric].key);
    return GAP + (key > OTHER_WIDTH ? key : OTHER_WIDTH);
}

// The columns that every block starts with.
static int width_of_place(const struct table *table)
{
    return N_WIDTH + (table->has_tile + table->has_rows) * GEOMETRY_WIDTH;
}

// Where the metrics of the block that starts at the one at `first` end.
static int end_of_block(const struct table *table, int first)
{
    int used = width_of_place(table) + (first == 0 ? TIME_WIDTH + 2 * OTHER_WIDTH : 0), end = first;
    while (end < table->selection->count) {
        used += metric_width(table->selection->metric_table[end]);
        if (used > bounded_page_width(table->file) && (end > first || first == 0))
            break;
        end++;
    }
    return end;
}

static void put_number(const struct table *table, int number, int width)
{
    char text[FORMAT_SIZE] = "";
    if (number > 0)
        snprintf(text, sizeof text, "%d", number);
    put_padded(table->file, text, -width);
}

static void put_place(const struct table *table, const struct point *point)
{
    put_number(table, (int)point->step.n, N_WIDTH);
    if (table->has_tile)
        put_number(table, point->tile, GEOMETRY_WIDTH);
    if (table->has_rows)
        put_number(table, point->rows, GEOMETRY_WIDTH);
}

// A text for the value, with a mark before what is modelled.
static void put_value(const struct table *table, const struct value *value, const char *text,
                      int width)
{
    char marked[FORMAT_SIZE + 1];
    snprintf(marked, sizeof marked, "%s%s", provenance_mark(value->provenance), text);
    put_padded(table->file, value_known(value) ? marked : style_dash(table->style), -width);
}

static void put_basics(const struct table *table, const struct step_result *step,
                       const struct value *share)
{
    char text[FORMAT_SIZE];
    format_duration(text, step->values[TIME_MS].number, table->style);
    put_value(table, &step->values[TIME_MS], text, TIME_WIDTH);
    format_number(text, step->values[BANDWIDTH_GBS].number); // its unit is in the heading
    put_value(table, &step->values[BANDWIDTH_GBS], text, OTHER_WIDTH);
    format_percent(text, share->number);
    put_value(table, share, text, OTHER_WIDTH);
}

static void put_point(const struct table *table, const struct point *point, int first, int end)
{
    put_place(table, point);
    if (went_wrong(&point->step)) {
        const struct style *style = table->style;
        fprintf(table->file, "%s  NOT RIGHT%s%s\n", tone_start(style, TONE_BAD),
                tone_end(style, TONE_BAD), first == 0 ? ":" : "");
        if (first == 0)
            put_wrapped(table->file, "           ", point->step.complaint);
        return;
    }
    if (first == 0)
        put_basics(table, &point->step, &point->share);
    for (int i = first; i < end; i++) {
        enum metric metric = table->selection->metric_table[i];
        char text[FORMAT_SIZE];
        format_value(text, metric, &point->step.values[metric], table->style);
        put_padded(table->file, text, -metric_width(metric));
    }
    fputc('\n', table->file);
}

static void put_headings(const struct table *table, int first, int end)
{
    fputs(tone_start(table->style, TONE_FAINT), table->file);
    put_padded(table->file, "n", -N_WIDTH);
    if (table->has_tile)
        put_padded(table->file, "TILE", -GEOMETRY_WIDTH);
    if (table->has_rows)
        put_padded(table->file, "ROWS", -GEOMETRY_WIDTH);
    if (first == 0) {
        put_padded(table->file, "time", -TIME_WIDTH);
        put_padded(table->file, "GB/s", -OTHER_WIDTH);
        put_padded(table->file, "of copy", -OTHER_WIDTH);
    }
    for (int i = first; i < end; i++) {
        enum metric metric = table->selection->metric_table[i];
        put_padded(table->file, metric_table[metric].key, -metric_width(metric));
    }
    fprintf(table->file, "%s\n", tone_end(table->style, TONE_FAINT));
}

static void put_step(const struct table *table)
{
    const struct style *style = table->style;
    char ordinal[STEP_LABEL_SIZE];
    fprintf(table->file, "\n%s%s%s%s\n", tone_start(style, TONE_TITLE),
            step_ordinal(table->points->step.number, ordinal), table->points->step.title,
            tone_end(style, TONE_TITLE));
    int first = 0, end;
    do {
        end = end_of_block(table, first);
        put_headings(table, first, end);
        for (int i = 0; i < table->count; i++)
            put_point(table, &table->points[i], first, end);
        first = end;
    } while (end < table->selection->count);
}

void print_points(FILE *file, const struct style *style, const struct point *points, int count,
                  const struct selection *selection)
{
    for (int first = 0, end; first < count; first = end) {
        struct table table = {
            .file = file, .style = style, .points = &points[first], .selection = selection};
        for (end = first; end < count && points[end].step.number == points[first].step.number;
             end++) {
            table.has_tile |= points[end].tile > 0;
            table.has_rows |= points[end].rows > 0;
        }
        table.count = end - first;
        put_step(&table);
    }
}
