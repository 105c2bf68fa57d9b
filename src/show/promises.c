// The end of every piece of advice: what it promised at best, and what came with the next step.
#include "show/report.h"

#include "advice/advice.h"
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

static void put_outcome(const struct report *report, const struct step_result *result,
                        const struct step_result *next, double promised)
{
    char text[FORMAT_SIZE];
    const struct layout *layout = layout_of(report->file);
    const char *gap = layout->time ? "     " : "  ";
    if (!next) {
        fprintf(report->file, "%syour turn\n", gap);
        return;
    }
    double came = next->values[BANDWIDTH_GBS].number / result->values[BANDWIDTH_GBS].number;
    char label[STEP_LABEL_SIZE];
    snprintf(text, sizeof text, "%s%s", gap, step_label(next->number, label));
    put_padded(report->file, text, layout->came);
    format_ratio(text, came, &report->style);
    put_padded(report->file, text, layout->gain);
    if (next->n != result->n && layout == layouts)
        fprintf(report->file, "  at n = %zu", next->n);
    if (layout == layouts && promised > 0 && came > (1 + NOISE_OF_TIME / 100.0) * promised)
        fputs("  (changed more)", report->file);
    fputc('\n', report->file);
}

void report_promises(const struct report *report, const struct run *run)
{
    struct advice list[MAX_ADVICE];
    bool has_heading = false;
    for (int i = 0; i < run->count; i++) {
        const struct step_result *result = &run->steps[i];
        if (result->number >= OWN_KERNEL || result->outcome != VERIFIED ||
            !value_known(&result->values[BANDWIDTH_GBS]))
            continue;
        struct findings findings = findings_of(run, result);
        advise(&findings, list);
        const struct step_result *next = verified_after(run, i);
        bool is_done = list[0].gain == 0 || 100 / list[0].gain >= AT_THE_ROOF;
        if (is_done && !(has_heading && next)) // the first rows may be of a size that says little
            continue;
        if (!has_heading)
            fputs("\nPromised by each step's advice, at best, and what came:\n", report->file);
        has_heading = true;
        put_promise(report, result, &list[0]);
        put_outcome(report, result, next, list[0].gain);
    }
}
