// The end of every piece of advice: what it promised at best, and what came with the next step.
#include "show/report.h"

#include "advice/advice.h"
#include "facts/format.h"

// The columns; each but the last is set in its width.
enum { OF_STEP = 21, LIMIT = 27, TIME = -10, GAIN = -9, CAME = 14 };

static void put_promise(const struct report *report, const struct step_result *result,
                        const struct advice *advice)
{
    char text[FORMAT_SIZE];
    snprintf(text, sizeof text, "  step %g, n = %zu", result->number, result->n);
    put_padded(report->file, text, OF_STEP);
    put_padded(report->file, advice->limit, LIMIT);
    format_value(text, TIME_MS, &advice->bound_ms, &report->style);
    put_padded(report->file, advice->gain > 0 ? text : style_dash(&report->style), TIME);
    if (advice->gain > 0)
        format_ratio(text, advice->gain, &report->style);
    else
        snprintf(text, sizeof text, "%s", style_dash(&report->style));
    put_padded(report->file, text, GAIN);
}

static void put_outcome(const struct report *report, const struct step_result *result,
                        const struct step_result *next, double promised)
{
    char text[FORMAT_SIZE];
    if (!next) {
        fputs("     your turn\n", report->file);
        return;
    }
    double came = next->values[BANDWIDTH_GBS].number / result->values[BANDWIDTH_GBS].number;
    snprintf(text, sizeof text, "     step %g", next->number);
    put_padded(report->file, text, CAME);
    format_ratio(text, came, &report->style);
    put_padded(report->file, text, GAIN);
    if (next->n != result->n)
        fprintf(report->file, "  at n = %zu", next->n);
    if (promised > 0 && came > (1 + NOISE_OF_TIME / 100.0) * promised)
        fputs("  (changed more)", report->file);
    fputc('\n', report->file);
}

void report_promises(const struct report *report, const struct run *run)
{
    struct advice list[MAX_ADVICE];
    bool has_heading = false;
    for (int i = 0; i < run->count; i++) {
        const struct step_result *result = &run->steps[i];
        if (result->outcome != VERIFIED || !value_known(&result->values[BANDWIDTH_GBS]))
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
