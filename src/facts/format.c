#include "facts/format.h"

#include "facts/median.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Takes the zeros off the end of a decimal fraction: "100.0" becomes "100".
static void drop_zeros(char *text)
{
    if (!strchr(text, '.'))
        return;
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        text[--length] = '\0';
    if (text[length - 1] == '.')
        text[length - 1] = '\0';
}

void format_number(char text[FORMAT_SIZE], double number)
{
    double size = fabs(number);
    int digits = size >= 999.5 ? 0 : size >= 99.95 ? 1 : size >= 9.995 ? 2 : size >= 0.9995 ? 3 : 4;
    snprintf(text, FORMAT_SIZE, "%.*f", digits, number);
    drop_zeros(text);
}

void format_duration(char text[FORMAT_SIZE], double ms, const struct style *style)
{
    char number[FORMAT_SIZE];
    const char *unit = "ms";
    if (ms >= 1000) {
        ms *= 1e-3;
        unit = "s";
    } else if (ms < 1) {
        ms *= 1e3;
        unit = style_text(style, "µs", "us");
    }
    format_number(number, ms);
    snprintf(text, FORMAT_SIZE, "%.40s %s", number, unit);
}

void format_percent(char text[FORMAT_SIZE], double percent)
{
    if (percent > 0 && percent < 0.05) {
        snprintf(text, FORMAT_SIZE, "<0.1%%");
        return;
    }
    char number[FORMAT_SIZE];
    snprintf(number, sizeof number, "%.1f", percent);
    drop_zeros(number);
    snprintf(text, FORMAT_SIZE, "%.40s%%", number);
}

void format_bytes(char text[FORMAT_SIZE], size_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    double number = (double)bytes;
    int unit = 0;
    for (; number >= 1024 && unit < 4; unit++)
        number /= 1024;
    char digits[FORMAT_SIZE];
    format_number(digits, number);
    snprintf(text, FORMAT_SIZE, "%.40s %s", digits, units[unit]);
}

void format_interval(char text[FORMAT_SIZE], const struct timing *timing, const struct style *style)
{
    char percent[FORMAT_SIZE];
    *text = '\0';
    if (timing_has_too_few(timing))
        snprintf(text, FORMAT_SIZE, "too few (%d)", timing->launches);
    if (!timing_has_interval(timing))
        return;
    double beyond = fmax(timing->high_ms - timing->median_ms, timing->median_ms - timing->low_ms);
    format_percent(percent, 100 * beyond / timing->median_ms);
    snprintf(text, FORMAT_SIZE, "%s%.40s", style_text(style, "±", "+-"), percent);
}

void format_ratio(char text[FORMAT_SIZE], double ratio, const struct style *style)
{
    int digits = ratio >= 99.5 ? 0 : ratio >= 9.95 ? 1 : 2;
    snprintf(text, FORMAT_SIZE, "%.*f%s", digits, ratio, style_text(style, "×", "x"));
}

void format_metric(char text[FORMAT_SIZE], enum metric metric, double number,
                   const struct style *style)
{
    char digits[FORMAT_SIZE];
    switch (metric_table[metric].unit) {
    case MILLISECONDS:
        format_duration(text, number, style);
        break;
    case GB_PER_SECOND:
        format_number(digits, number);
        snprintf(text, FORMAT_SIZE, "%.40s GB/s", digits);
        break;
    case PERCENT:
        format_percent(text, number);
        break;
    case PLAIN:
        format_number(text, number);
        break;
    case BYTES:
        format_bytes(text, (size_t)number);
        break;
    case EVENTS:
        snprintf(text, FORMAT_SIZE, "%.0f", number);
        break;
    }
}

void format_unmarked(char text[FORMAT_SIZE], enum metric metric, const struct value *value,
                     const struct style *style)
{
    if (value_known(value))
        format_metric(text, metric, value->number, style);
    else
        snprintf(text, FORMAT_SIZE, "%s", style_dash(style));
}

void format_value(char text[FORMAT_SIZE], enum metric metric, const struct value *value,
                  const struct style *style)
{
    char unmarked[FORMAT_SIZE];
    format_unmarked(unmarked, metric, value, style);
    snprintf(text, FORMAT_SIZE, "%s%.60s", provenance_mark(value->provenance), unmarked);
}

bool is_unseen(enum unit unit, double change)
{
    return unit == PERCENT && fabs(change) < 0.05;
}

void format_change(char text[FORMAT_SIZE], enum metric metric, double change,
                   const struct style *style)
{
    enum unit unit = metric_table[metric].unit;
    if (is_unseen(unit, change)) {
        *text = '\0';
    } else if (unit == PERCENT) {
        snprintf(text, FORMAT_SIZE, "%+.1f", change);
    } else {
        char size[FORMAT_SIZE];
        format_metric(size, metric, fabs(change), style);
        snprintf(text, FORMAT_SIZE, "%s%.60s", change < 0 ? "-" : "+", size);
    }
}

void format_dimensions(char text[FORMAT_SIZE], const unsigned size[3])
{
    snprintf(text, FORMAT_SIZE, "[%u,%u,%u]", size[0], size[1], size[2]);
}
