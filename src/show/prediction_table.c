// Predictions beside what came: of one step below its panel, and of the lesson (./run progress).
#include "advice/prediction.h"
#include "show/report.h"

// The widths of the columns, by the page's.
static const struct layout {
    int page, question, cell;
    bool tells_how_far;
} layouts[] = {{80, 37, -11, true}, {0, 29, -11, false}};

static const struct layout *layout_of(FILE *file)
{
    return page_width(file) >= layouts[0].page ? &layouts[0] : &layouts[1];
}

static void put_verdict(const struct report *report, const struct prediction *prediction)
{
    bool right = prediction_is_right(prediction);
    double ratio = prediction_ratio(prediction);
    char text[FORMAT_SIZE], factor[FORMAT_SIZE];
    if (right)
        snprintf(text, sizeof text, "right");
    else if (ratio == 0 || !layout_of(report->file)->tells_how_far)
        snprintf(text, sizeof text, "no");
    else {
        format_ratio(factor, ratio >= 1 ? ratio : 1 / ratio, &report->style);
        snprintf(text, sizeof text, "%.30s too %s", factor, ratio >= 1 ? "much" : "little");
    }
    fprintf(report->file, "  %s%s%s\n", tone_start(&report->style, right ? TONE_GOOD : TONE_BAD),
            text, tone_end(&report->style, right ? TONE_GOOD : TONE_BAD));
}

static void put_limit(const struct report *report, const struct prediction *prediction)
{
    bool right = prediction_is_right(prediction);
    fprintf(report->file, "  what limits it: %s",
            limiters[(enum limiter)prediction->predicted].name);
    if (!right)
        fprintf(report->file, "\n    came: %s", limiters[(enum limiter)prediction->came].name);
    put_verdict(report, prediction);
}

static void put_prediction(const struct report *report, const struct run *run, int place,
                           const struct prediction *prediction)
{
    const struct layout *layout = layout_of(report->file);
    char text[FORMAT_SIZE], name[FORMAT_SIZE] = "";
    if (prediction->subject == ASKED_LIMIT) {
        put_limit(report, prediction);
        return;
    }
    prediction_question(text, run, place, prediction->subject);
    text_append(name, sizeof name, text, layout->question);
    fputs("  ", report->file);
    put_padded(report->file, name, layout->question);
    format_prediction(text, prediction->subject, prediction->predicted, &report->style);
    put_padded(report->file, text, layout->cell);
    format_prediction(text, prediction->subject, prediction->came, &report->style);
    put_padded(report->file, text, layout->cell);
    put_verdict(report, prediction);
}

void report_predictions(const struct report *report, const struct run *run, int place,
                        const struct prediction_record *record)
{
    const struct layout *layout = layout_of(report->file);
    int answered = 0, right = 0;
    char mistake[MISTAKE_SIZE];
    for (int i = 0; i < record->count; i++)
        answered += record->list[i].answered;
    if (answered == 0)
        return;
    fprintf(report->file, "\n  %s", tone_start(&report->style, TONE_TITLE));
    put_padded(report->file, "Predicted, and what came", layout->question);
    put_padded(report->file, "yours", layout->cell);
    put_padded(report->file, "came", layout->cell);
    fprintf(report->file, "%s\n", tone_end(&report->style, TONE_TITLE));
    for (int i = 0; i < record->count; i++) {
        const struct prediction *prediction = &record->list[i];
        if (!prediction->answered)
            continue;
        right += prediction_is_right(prediction);
        put_prediction(report, run, place, prediction);
        prediction_mistake(mistake, run, place, prediction, &report->style);
        if (*mistake)
            put_wrapped(report->file, "    ", mistake);
    }
    fprintf(report->file, "  %d of %d right (a number within %d%%)\n", right, answered,
            NEAR_PREDICTION);
}

// ---- The lesson --------------------------------------------------------------------------------

enum { OF_STEP = 6, WHEN = 18, SCORE = -9, NUMBER = -11 };

static const struct prediction *gain_of(const struct prediction_record *record)
{
    for (int i = 0; i < record->count; i++)
        if (record->list[i].subject == ASKED_GAIN && record->list[i].answered)
            return &record->list[i];
    return NULL;
}

static void put_record(const struct report *report, const struct prediction_record *record)
{
    const struct prediction *gain = gain_of(record);
    char text[FORMAT_SIZE];
    int answered = 0, right = 0;
    for (int i = 0; i < record->count; i++) {
        answered += record->list[i].answered;
        right += prediction_is_right(&record->list[i]);
    }
    snprintf(text, sizeof text, "%g", record->step);
    put_padded(report->file, text, OF_STEP);
    snprintf(text, sizeof text, "%.10s %.5s", record->time, record->time + 11);
    put_padded(report->file, text, WHEN);
    snprintf(text, sizeof text, "%d of %d", right, answered);
    put_padded(report->file, text, SCORE);
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "%s", style_dash(&report->style));
        if (gain)
            format_ratio(text, i == 0 ? gain->predicted : gain->came, &report->style);
        put_padded(report->file, text, NUMBER);
    }
    char where[192], shown[192] = "";
    snprintf(where, sizeof where, "  n = %zu, %s", record->n, record->device);
    text_append(shown, sizeof shown, where,
                page_width(report->file) - OF_STEP - WHEN + SCORE + 2 * NUMBER);
    fprintf(report->file, "%s\n", shown);
}

void report_progress(const struct report *report, const struct prediction_record *records,
                     int count)
{
    struct calibration all = predictions_calibrate(records, count);
    char text[FORMAT_SIZE];
    put_padded(report->file, "step", OF_STEP);
    put_padded(report->file, "when (UTC)", WHEN);
    put_padded(report->file, "right", SCORE);
    put_padded(report->file, "gain", NUMBER);
    put_padded(report->file, "came", NUMBER);
    fputs("\n", report->file);
    for (int i = 0; i < count; i++)
        put_record(report, &records[i]);
    if (all.answered == 0)
        return;
    snprintf(text, sizeof text, "%d%%", (int)(100.0 * all.right / all.answered + .5));
    char line[200];
    snprintf(line, sizeof line,
             "%d of %d answer%s right: %s (a number within %d%%, the limit's name).\n", all.right,
             all.answered, all.answered == 1 ? "" : "s", text, NEAR_PREDICTION);
    fputc('\n', report->file);
    put_text(report->file, line);
    if (all.numbers == 0)
        return;
    format_ratio(text, all.median, &report->style);
    if (all.numbers == 1)
        snprintf(line, sizeof line, "The one number is off by %s%s.\n", text,
                 all.too_much     ? ", too much"
                 : all.too_little ? ", too little"
                                  : "");
    else
        snprintf(line, sizeof line,
                 "Half of the %d numbers are off by %s or less; %d too much, %d too little.\n",
                 all.numbers, text, all.too_much, all.too_little);
    put_text(report->file, line);
}
