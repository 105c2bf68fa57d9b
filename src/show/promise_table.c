// What each step's advice promised, and what came, a row a step.
#include "show/report.h"

#include "advice/promises.h"
#include "facts/format.h"

// The columns; each but the last is set in its width.
static const struct layout {
    int page, of_step, limit, time, gain, came;
} layouts[] = {{104, 21, 27, -10, -9, 14}, {80, 9, 26, -11, -9, 14}, {0, 9, 25, 0, -9, 8}};

static const struct layout *layout_of(FILE *file)
{
    const struct layout *layout = layouts;
    while (page_width(file) < layout->page)
        layout++;
    return layout;
}

static void put_promise(const struct report *report, const struct step_result *result,
                        const struct advice *advice)
{
    char text[FORMAT_SIZE], label[STEP_LABEL_SIZE];
    const struct layout *layout = layout_of(report->file);
    step_label(result->number, label);
    snprintf(text, sizeof text, "  %s, n = %zu", label, result->n);
    if (layout != layouts)
        snprintf(text, sizeof text, "  %s", label);
    put_padded(report->file, text, layout->of_step);
    put_padded(report->file, advice->limit, layout->limit);
    format_value(text, TIME_MS, &advice->bound_ms, &report->style);
    if (layout->time)
        put_padded(report->file, advice->gain > 0 ? text : style_dash(&report->style),
                   layout->time);
    if (advice->gain > 0)
        format_ratio(text, advice->gain, &report->style);
    else
        snprintf(text, sizeof text, "%s", style_dash(&report->style));
    put_padded(report->file, text, layout->gain);
}

static void put_outcome(const struct report *report, const struct promise *promise)
{
    char text[FORMAT_SIZE];
    const struct layout *layout = layout_of(report->file);
    const struct step_result *next = promise->next;
    const char *gap = layout->time ? "     " : "  ";
    if (!next) {
        fprintf(report->file, "%syour turn\n", gap);
        return;
    }
    char label[STEP_LABEL_SIZE];
    snprintf(text, sizeof text, "%s%s", gap, step_label(next->number, label));
    put_padded(report->file, text, layout->came);
    format_ratio(text, promise->came, &report->style);
    put_padded(report->file, text, layout->gain);
    if (next->n != promise->step->n && layout == layouts)
        fprintf(report->file, "  at n = %zu", next->n);
    if (layout == layouts && promise->changed_more)
        fputs("  (changed more)", report->file);
    fputc('\n', report->file);
}

void report_promises(const struct report *report, const struct run *run)
{
    struct promise list[MAX_STEPS];
    int count = promises_of(run, list);
    if (count > 0)
        fputs("\nPromised by each step's advice, at best, and what came:\n", report->file);
    for (int i = 0; i < count; i++) {
        put_promise(report, list[i].step, &list[i].advice);
        put_outcome(report, &list[i]);
    }
}
