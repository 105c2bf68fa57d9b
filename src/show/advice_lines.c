// The advice as it stands below a panel.
#include "advice/advice.h"
#include "facts/format.h"
#include "show/report.h"

#include <stdio.h>

enum { ADVICE_SIZE = 400 };

static const char *const bounds[] = {
    [BY_COPY] = "the device's own copy",
    [BY_PEAK] = "DRAM's peak",
    [BY_COUNTS] = "by the counts",
    [BY_MODEL] = "by the timing model",
};

// What to try, and the bound.
static void format_next(char text[ADVICE_SIZE], const struct style *style,
                        const struct advice *advice)
{
    char time[FORMAT_SIZE], gain[FORMAT_SIZE];
    if (advice->gain == 0) {
        snprintf(text, ADVICE_SIZE, "%s", advice->next);
        return;
    }
    format_duration(time, advice->bound_ms.number, style);
    format_ratio(gain, advice->gain, style);
    snprintf(text, ADVICE_SIZE, "%s At best %s%s, %s as fast (%s).", advice->next,
             provenance_mark(advice->bound_ms.provenance), time, gain, bounds[advice->bound_by]);
}

static void put_line(const struct report *report, const char *label, const char *text)
{
    char lead[16];
    snprintf(lead, sizeof lead, "  %-7s", label);
    put_wrapped(report->file, lead, text);
}

void report_advice(const struct report *report, const struct findings *findings)
{
    struct advice list[MAX_ADVICE];
    int shown = advice_shown(list, advise(findings, list));
    char text[2 * ADVICE_SIZE], next[ADVICE_SIZE];
    for (int i = 0; i < shown; i++) {
        format_next(next, &report->style, &list[i]);
        snprintf(text, sizeof text, "%s: %s.%s%s", list[i].limit, list[i].because,
                 i == 0 ? "" : " ", i == 0 ? "" : next);
        put_line(report, i == 0 ? "Limit:" : "Also:", text);
        if (i == 0)
            put_line(report, "Next:", next);
        if (list[i].section) {
            snprintf(text, sizeof text, "walkthrough.md%s", list[i].section);
            put_line(report, i == 0 ? "Read:" : "", text);
        }
    }
}
