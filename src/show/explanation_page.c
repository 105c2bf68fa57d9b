// What the timing model predicts of each step and what limits it, as people read it.
#include "advice/explanation.h"

#include "advice/findings.h"
#include "base/untrusted_text.h"
#include "facts/format.h"
#include "show/report.h"

#include <math.h>
#include <string.h>

enum { LABEL_WIDTH = 26, VALUE_WIDTH = 16, BAR_WIDTH = 40, EIGHTHS = 8 };

// How far the prediction is off: in percent of the measured value, of percentages in points.
static void format_error(char text[FORMAT_SIZE], const struct report *report,
                         const struct pair *pair, enum metric metric)
{
    struct difference difference = pair_difference(pair, metric);
    *text = '\0';
    if (difference.other_size)
        snprintf(text, FORMAT_SIZE, "other n");
    else if (difference.verdict == NOT_COMPARED)
        snprintf(text, FORMAT_SIZE, "%s", style_dash(&report->style));
    else if (metric_table[metric].unit == PERCENT)
        snprintf(text, FORMAT_SIZE, "%+.1f",
                 fabs(difference.change) < 0.05 ? 0 : difference.change); // no "-0.0"
    else if (difference.ratio > 0)
        snprintf(text, FORMAT_SIZE, "%+.1f%%", 100 * (difference.ratio - 1));
}

static void put_metric(const struct report *report, const struct pair *pair, enum metric metric)
{
    char text[FORMAT_SIZE];
    fputs("  ", report->file);
    put_padded(report->file, metric_table[metric].label, LABEL_WIDTH);
    format_unmarked(text, metric, &pair->b->values[metric], &report->style);
    put_padded(report->file, text, -VALUE_WIDTH);
    if (pair_is_comparable(pair)) {
        format_unmarked(text, metric, &pair->a->values[metric], &report->style);
        put_padded(report->file, text, -VALUE_WIDTH);
        format_error(text, report, pair, metric);
        put_padded(report->file, text, -VALUE_WIDTH);
    }
    fputc('\n', report->file);
}

static void put_numbers(const struct report *report, const struct pair *pair)
{
    fputs("  ", report->file);
    put_padded(report->file, "", LABEL_WIDTH);
    put_padded(report->file, "predicted", -VALUE_WIDTH);
    if (pair_is_comparable(pair)) {
        put_padded(report->file, "measured", -VALUE_WIDTH);
        put_padded(report->file, "off by", -VALUE_WIDTH);
    }
    fputc('\n', report->file);
    for (int i = 0; i < EXPLAINED; i++)
        put_metric(report, pair, explained[i]);
}

// A bar of so many percent, padded to its full width.
static void put_bar(const struct report *report, double percent)
{
    static const char *const parts[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int unit = report->style.utf8 ? EIGHTHS : 1;
    int filled = (int)(percent / 100 * BAR_WIDTH * unit + 0.5);
    if (percent > 0 && filled == 0)
        filled = 1;
    const char *part = parts[filled % unit];
    for (int i = 0; i < filled / unit; i++)
        fputs(style_text(&report->style, "█", "#"), report->file);
    put_padded(report->file, part, BAR_WIDTH - filled / unit);
}

static void put_share(const struct report *report, const char *name, double percent, enum tone tone)
{
    char text[FORMAT_SIZE];
    format_percent(text, percent);
    fputs("  ", report->file);
    put_padded(report->file, name, LABEL_WIDTH);
    fputs(tone_start(&report->style, tone), report->file);
    put_bar(report, percent);
    fprintf(report->file, "%s%7s\n", tone_end(&report->style, tone), text);
}

static void put_shares(const struct report *report, const struct limits *limits)
{
    enum resource limiting = limiters[limits->limiter].resource;
    put_share(report, "SMs with a block", limits->busy_sms,
              limits->limiter == LIMITER_BLOCKS ? TONE_BAD : TONE_PLAIN);
    fputs("  Busy, where blocks run:\n", report->file);
    for (enum resource i = 0; i < RESOURCES; i++)
        if (limits->busy[i] > 0 || !resources[i].is_later)
            put_share(report, resources[i].name, limits->busy[i],
                      i == limiting ? TONE_BAD : TONE_PLAIN);
}

static void put_mistake(const struct report *report, const char *where,
                        const struct step_result *step)
{
    char text[COMPLAINT_SIZE + 64];
    if (!step || !went_wrong(step))
        return;
    snprintf(text, sizeof text, "It went wrong %s: %s", where, step->complaint);
    put_wrapped(report->file, "  ", text);
}

static void put_step(const struct report *report, const struct explanation *explanation,
                     const struct pair *pair)
{
    const struct step_result *step = pair->b ? pair->b : pair->a;
    char prefix[STEP_LABEL_SIZE];
    fprintf(report->file, "\n%s%s%s%s (n = %zu)\n", tone_start(&report->style, TONE_TITLE),
            step_prefix(step->number, style_text(&report->style, "·", "-"), prefix), step->title,
            tone_end(&report->style, TONE_TITLE), step->n);
    if (!pair->b) {
        fputs("  This program has no such step, so nothing is predicted.\n", report->file);
        return;
    }
    if (explanation->measured && !pair->a)
        fputs("  Not in the run that was measured.\n", report->file);
    put_mistake(report, "when it was measured", pair->a);
    put_mistake(report, "on the simulated device", pair->b);
    if (went_wrong(pair->b))
        return;
    if (pair_is_comparable(pair) && pair->a->launched && pair->b->launched &&
        memcmp(pair->a->block, pair->b->block, sizeof pair->a->block) != 0)
        put_wrapped(report->file, "  ",
                    "The blocks differ from those that were measured: another launch.");
    put_numbers(report, pair);
    if (pair->b->limits.limiter == LIMITER_UNKNOWN) {
        put_wrapped(report->file, "  ", pair->b->values[TIME_MS].why);
        return;
    }
    put_shares(report, &pair->b->limits);
    report_memory(report, pair->b);
    char text[SENTENCES_SIZE];
    explanation_sentences(text, pair);
    put_wrapped(report->file, "  ", text);
    struct findings findings = findings_of(explanation->predicted, pair->b);
    report_advice(report, &findings);
}

static void put_head(const struct report *report, const struct explanation *explanation)
{
    const struct run *measured = explanation->measured, *predicted = explanation->predicted;
    char text[512];
    snprintf(text, sizeof text, "%s, n = %zu, by a timing model", predicted->device.name,
             predicted->n);
    put_wrapped(report->file, "Predicted: ", text);
    if (!measured) {
        put_wrapped(report->file, "Measured:  ",
                    "nothing, these are predictions alone. A GPU's measurement, or a recorded one "
                    "(--recorded RUN), would stand beside them.");
        return;
    }
    snprintf(text, sizeof text, "%s, n = %zu, %.200s", measured->device.name, measured->n,
             measured->label);
    foreign_trim(text);
    put_wrapped(report->file, "Measured:  ", text);
    if (!strstr(predicted->device.name, measured->device.name))
        put_wrapped(report->file, "Unlike:    ",
                    "The devices differ: of those that can be simulated, the prediction is for the "
                    "nearest, or for the one that was named.");
    if (measured->n != predicted->n)
        put_wrapped(report->file, "Unlike:    ",
                    "The sizes differ: a prediction executes every thread on this machine, which "
                    "takes long for large n. Times are not compared; bandwidths and shares are.");
}

void report_explanation(const struct report *report, const struct explanation *explanation)
{
    put_head(report, explanation);
    for (int i = 0; i < explanation->comparison.count; i++)
        put_step(report, explanation, &explanation->comparison.pairs[i]);
    if (explanation->measured)
        put_text(report->file,
                 "\noff by: the prediction against the measurement, in percent of it, or in points "
                 "where that is a percentage.\nWhat is busy is predicted.\n");
}
