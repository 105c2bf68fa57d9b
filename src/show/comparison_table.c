// The comparison as people read it: a table a step, or in short a row a step.
#include "facts/comparison.h"

#include "facts/format.h"
#include "show/report.h"

// The widths of the columns, by the page's; 0: it is not shown.
static const struct layout {
    int page, label, value, change, relative;
} layouts[] = {{116, 34, 19, 14, 10}, {80, 27, 13, 13, 0}, {0, 22, 12, 0, 0}};

static const struct layout *layout_of(FILE *file)
{
    const struct layout *layout = layouts;
    while (page_width(file) < layout->page)
        layout++;
    return layout;
}

static void put_label(const struct report *report, const char *label)
{
    char name[FORMAT_SIZE] = "";
    int width = layout_of(report->file)->label;
    text_append(name, sizeof name, label, width);
    fputs("  ", report->file);
    put_padded(report->file, name, width);
}

static enum tone tone_of(enum verdict verdict)
{
    return verdict == BETTER ? TONE_GOOD : verdict == WORSE ? TONE_BAD : TONE_PLAIN;
}

static void put_toned(const struct report *report, const char *text, int width, enum tone tone)
{
    fputs(tone_start(&report->style, tone), report->file);
    put_padded(report->file, text, width);
    fputs(tone_end(&report->style, tone), report->file);
}

// Which pairs of provenances a table has met: each gets a mark of its own and a line below the table.
struct marks {
    int count;
    struct {
        enum provenance a, b;
    } met[PROVENANCES * PROVENANCES];
};

// "", "*", "**" and so on.
static const char *mark_of(struct marks *marks, const struct difference *difference)
{
    static const char stars[] = "************";
    if (!difference->other_sources)
        return "";
    enum provenance a = difference->a->provenance, b = difference->b->provenance;
    int i = 0;
    while (i < marks->count && (marks->met[i].a != a || marks->met[i].b != b))
        i++;
    if (i == marks->count) {
        marks->met[i].a = a;
        marks->met[i].b = b;
        marks->count++;
    }
    return stars + sizeof stars - 2 - i;
}

static void put_marks(const struct report *report, const struct marks *marks)
{
    for (int i = 0; i < marks->count; i++) {
        char lead[24], text[160];
        snprintf(lead, sizeof lead, "  %.*s ", i + 1, "************");
        snprintf(text, sizeof text,
                 "%s in A, %s in B: two ways to know, so small differences say little",
                 provenance_name(marks->met[i].a), provenance_name(marks->met[i].b));
        put_wrapped(report->file, lead, text);
    }
}

// "-49.2%", and from tenfold on "268x"; "" where the first value is 0.
static void format_relative(char text[FORMAT_SIZE], const struct report *report, double ratio)
{
    if (ratio >= 10)
        format_ratio(text, ratio, &report->style);
    else
        snprintf(text, FORMAT_SIZE, "%+.1f%%", 100 * (ratio - 1));
}

static void put_metric(const struct report *report, const struct pair *pair, enum metric metric,
                       struct marks *marks)
{
    static const char *const words[] = {
        [SAME] = "same",     [BETTER] = "better", [WORSE] = "worse",
        [NOT_COMPARED] = "", [CHANGED] = "",      [TOO_FEW] = "too few"};
    struct difference difference = pair_difference(pair, metric);
    char a[FORMAT_SIZE], b[FORMAT_SIZE], change[FORMAT_SIZE] = "", relative[FORMAT_SIZE] = "";
    format_value(a, metric, difference.a, &report->style);
    format_value(b, metric, difference.b, &report->style);
    if (difference.verdict != NOT_COMPARED && difference.change != 0) {
        format_change(change, metric, difference.change, &report->style);
        if (*change && difference.a->number != 0)
            format_relative(relative, report, difference.ratio);
    }
    enum tone tone = tone_of(difference.verdict);
    const struct layout *layout = layout_of(report->file);
    put_label(report, metric_table[metric].label);
    put_padded(report->file, a, -layout->value);
    put_padded(report->file, b, -layout->value);
    const char *word = difference.other_size ? "other n" : words[difference.verdict];
    const char *mark = mark_of(marks, &difference);
    if (*change || *word || *mark) {
        put_toned(report, layout->change ? change : "", -layout->change, tone);
        put_toned(report, layout->relative ? relative : "", -layout->relative, tone);
    }
    if (*word || *mark) {
        fputs("  ", report->file);
        put_toned(report, word, *mark ? 8 : 0, tone);
        fputs(mark, report->file);
    }
    fputc('\n', report->file);
}

// How well the launches tell their median, where that is known.
static void put_intervals(const struct report *report, const struct pair *pair)
{
    char a[FORMAT_SIZE], b[FORMAT_SIZE];
    format_interval(a, &pair->a->timing, &report->style);
    format_interval(b, &pair->b->timing, &report->style);
    if (!*a && !*b)
        return;
    int width = -layout_of(report->file)->value;
    put_label(report, INTERVAL_LABEL);
    put_padded(report->file, a, width);
    put_padded(report->file, b, width);
    fputc('\n', report->file);
}

static void put_dimensions(const struct report *report, const char *label,
                           const struct step_result *a, const unsigned size_a[3],
                           const struct step_result *b, const unsigned size_b[3])
{
    char text_a[FORMAT_SIZE], text_b[FORMAT_SIZE];
    format_dimensions(text_a, size_a);
    format_dimensions(text_b, size_b);
    int width = -layout_of(report->file)->value;
    put_label(report, label);
    put_padded(report->file, a->launched ? text_a : style_dash(&report->style), width);
    put_padded(report->file, b->launched ? text_b : style_dash(&report->style), width);
    fputc('\n', report->file);
}

static void put_numbers(const struct report *report, const struct pair *pair, bool counters)
{
    struct marks marks = {0};
    fputs(tone_start(&report->style, TONE_TITLE), report->file);
    const struct layout *layout = layout_of(report->file);
    put_label(report, "");
    put_padded(report->file, "A", -layout->value);
    put_padded(report->file, "B", -layout->value);
    put_padded(report->file, layout->change ? "change" : "", -layout->change);
    put_padded(report->file, layout->relative ? "relative" : "", -layout->relative);
    fprintf(report->file, "%s\n", tone_end(&report->style, TONE_TITLE));
    put_metric(report, pair, TIME_MS, &marks);
    put_intervals(report, pair);
    put_metric(report, pair, BANDWIDTH_GBS, &marks);
    put_dimensions(report, "Grid Size", pair->a, pair->a->grid, pair->b, pair->b->grid);
    put_dimensions(report, "Block Size", pair->a, pair->a->block, pair->b, pair->b->block);
    for (enum metric i = REGISTERS; i < (counters ? METRICS : FIRST_COUNT); i++)
        put_metric(report, pair, i, &marks);
    put_marks(report, &marks);
}

// The step that only one run has, in a line.
static void put_lone(const struct report *report, const struct step_result *step)
{
    char time[FORMAT_SIZE], gbs[FORMAT_SIZE];
    format_value(time, TIME_MS, &step->values[TIME_MS], &report->style);
    format_value(gbs, BANDWIDTH_GBS, &step->values[BANDWIDTH_GBS], &report->style);
    fprintf(report->file, "  n = %zu, duration %s, bandwidth %s\n", step->n, time, gbs);
}

static void put_remarks(const struct report *report, const char *lead,
                        const struct remarks *remarks)
{
    for (int i = 0; i < remarks->count; i++)
        put_wrapped(report->file, lead, remarks->texts[i]);
}

static void put_record(const struct report *report, const char *name, const struct run *record)
{
    fprintf(report->file, "%s%s: %s%s\n", tone_start(&report->style, TONE_TITLE), name,
            record->label, tone_end(&report->style, TONE_TITLE));
    char text[512];
    snprintf(text, sizeof text, "%s%s, n = %zu, %s%s%s", record->device.name,
             record->device.simulated ? "" : " (GPU)", record->n, record->kit,
             *record->saved_time ? ", saved " : "", record->saved_time);
    put_wrapped(report->file, "   ", text);
}

static void put_source(const struct report *report, const struct run *record)
{
    if (*record->source)
        put_wrapped(report->file, "   ", record->source);
}

static void put_head(const struct report *report, const struct comparison *comparison)
{
    put_record(report, "A", comparison->a);
    put_source(report, comparison->a);
    put_record(report, "B", comparison->b);
    put_source(report, comparison->b);
    put_remarks(report, "Unlike: ", &comparison->remarks);
}

void report_comparison(const struct report *report, const struct comparison *comparison,
                       bool counters)
{
    put_head(report, comparison);
    for (int i = 0; i < comparison->count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        const struct step_result *step = pair->b ? pair->b : pair->a;
        char prefix[STEP_LABEL_SIZE];
        fprintf(report->file, "\n%s%s%s%s\n", tone_start(&report->style, TONE_TITLE),
                step_prefix(step->number, style_text(&report->style, "·", "-"), prefix),
                step->title, tone_end(&report->style, TONE_TITLE));
        struct remarks remarks;
        pair_remark(pair, &remarks);
        put_remarks(report, "  ", &remarks);
        if (pair_is_comparable(pair))
            put_numbers(report, pair, counters);
        else if ((!pair->a || !pair->b) && !went_wrong(step))
            put_lone(report, step);
    }
    char text[400];
    snprintf(text, sizeof text,
             "Changes are from A to B, percentages in points. better, worse: by the metric's "
             "sense, and of one device and n alone;\nsame: within the noise; too few: launches to "
             "tell. Occupancy is no goal in itself beyond %d%%, nor are\nregisters, shared memory "
             "and sectors per request.\n",
             LOW_OCCUPANCY);
    fputc('\n', report->file);
    put_text(report->file, text);
    if (comparison->a->device.simulated || comparison->b->device.simulated)
        put_text(
            report->file,
            "~ is before what a timing model predicts or an estimate of instructions gives.\n");
}

// In short: the times, which is faster, and how the summary's metrics changed.
enum { TIME_WIDTH = 11, SPEED_WIDTH = 15, CELL_WIDTH = 8, TITLE_WIDTH = 31, LEAST_TITLE = 22 };

// How many of the summary's metrics have a place on the page, and what is left for the titles.
static int shown_columns(FILE *file, int *title_width)
{
    int count = 0, page = page_width(file), rest = 2 * TIME_WIDTH + SPEED_WIDTH;
    *title_width = page < TITLE_WIDTH + rest ? LEAST_TITLE : TITLE_WIDTH;
    while (summary_column(count + 1) < METRICS &&
           *title_width + rest + (count + 1) * CELL_WIDTH + (page < WIDEST ? 9 : 0) <= page)
        count++;
    return count;
}

// Speeds are compared by bandwidth, as in the summary, so that sizes may differ.
static void put_speed(const struct report *report, const struct pair *pair, struct marks *marks)
{
    struct difference difference = pair_difference(pair, BANDWIDTH_GBS);
    char factor[FORMAT_SIZE], text[FORMAT_SIZE] = "";
    double ratio = difference.ratio;
    (void)mark_of(marks, &difference);
    if (difference.verdict == SAME || difference.verdict == TOO_FEW) {
        snprintf(text, sizeof text, difference.verdict == SAME ? "the same" : "too few");
    } else if (ratio > 0) {
        format_ratio(factor, ratio > 1 ? ratio : 1 / ratio, &report->style);
        snprintf(text, sizeof text, "%.32s %s", factor, ratio > 1 ? "faster" : "slower");
    }
    put_toned(report, text, -SPEED_WIDTH, tone_of(difference.verdict));
}

static void put_cell(const struct report *report, const struct pair *pair, enum metric metric,
                     struct marks *marks)
{
    struct difference difference = pair_difference(pair, metric);
    char text[FORMAT_SIZE];
    (void)mark_of(marks, &difference);
    if (difference.verdict == NOT_COMPARED)
        snprintf(text, sizeof text, "%s", style_dash(&report->style));
    else if (difference.verdict == SAME || difference.verdict == TOO_FEW)
        snprintf(text, sizeof text, difference.verdict == SAME ? "=" : "too few");
    else
        format_change(text, metric, difference.change, &report->style);
    put_toned(report, text, -CELL_WIDTH, tone_of(difference.verdict));
}

static void put_short_row(const struct report *report, const struct pair *pair, struct marks *marks)
{
    const struct step_result *step = pair->b ? pair->b : pair->a;
    char title[FORMAT_SIZE], time[FORMAT_SIZE], ordinal[STEP_LABEL_SIZE];
    int title_width, shown = shown_columns(report->file, &title_width);
    snprintf(title, sizeof title, "%s", step_ordinal(step->number, ordinal));
    text_append(title, sizeof title, step->title, title_width - 1);
    put_padded(report->file, title, title_width);
    if (!pair_is_comparable(pair)) {
        fprintf(report->file, "  %s\n",
                !pair->b              ? "not in this run"
                : !pair->a            ? "not in the baseline"
                : went_wrong(pair->a) ? "wrong or failed in the baseline"
                                      : "wrong or failed in this run");
        return;
    }
    format_value(time, TIME_MS, &pair->a->values[TIME_MS], &report->style);
    put_padded(report->file, time, -TIME_WIDTH);
    format_value(time, TIME_MS, &pair->b->values[TIME_MS], &report->style);
    put_padded(report->file, time, -TIME_WIDTH);
    put_speed(report, pair, marks);
    for (int i = 1; i <= shown; i++)
        put_cell(report, pair, summary_column(i), marks);
    fprintf(report->file, "%s\n",
            pair->a->n != pair->b->n && title_width == TITLE_WIDTH ? "  other n" : "");
}

void report_comparison_in_short(const struct report *report, const struct comparison *comparison)
{
    struct marks marks = {0};
    int title_width, shown = shown_columns(report->file, &title_width);
    fputc('\n', report->file);
    put_record(report, "A, the baseline", comparison->a);
    put_remarks(report, "Unlike: ", &comparison->remarks);
    fputs(tone_start(&report->style, TONE_TITLE), report->file);
    put_padded(report->file, "", title_width);
    put_padded(report->file, "baseline", -TIME_WIDTH);
    put_padded(report->file, "now", -TIME_WIDTH);
    put_padded(report->file, "bandwidth", -SPEED_WIDTH);
    for (int i = 1; i <= shown; i++)
        put_padded(report->file, metric_table[summary_column(i)].column, -CELL_WIDTH);
    fprintf(report->file, "%s\n", tone_end(&report->style, TONE_TITLE));
    for (int i = 0; i < comparison->count; i++)
        put_short_row(report, &comparison->pairs[i], &marks);
    for (int i = 0; i < marks.count; i++)
        fprintf(report->file, "Some values are %s in A, but %s in B.\n",
                provenance_name(marks.met[i].a), provenance_name(marks.met[i].b));
    put_text(report->file, "Changes of percentages are in points; B is this run. `./run compare` "
                           "shows all of two recorded runs.\n");
}
