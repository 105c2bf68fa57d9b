// The logarithmic axes of both rooflines.
#include "facts/format.h"
#include "files/html_view.h"

void html_axis_widen(struct html_axis *axis, double number)
{
    axis->least = fmin(axis->least, floor(log10(number)));
    axis->most = fmax(axis->most, ceil(log10(number) + 0.05));
}

double html_axis_place(const struct html_axis *axis, double number, double from, double to)
{
    return from + (log10(number) - axis->least) / (axis->most - axis->least) * (to - from);
}

void html_add_ticks(cJSON *object, const char *name, const struct html_axis *axis, double from,
                    double to)
{
    cJSON *ticks = json_array(object, name);
    for (double i = axis->least; i <= axis->most; i++) {
        cJSON *tick = json_object(ticks, NULL);
        char text[FORMAT_SIZE];
        format_number(text, pow(10, i));
        html_add_place(tick, "at", html_axis_place(axis, pow(10, i), from, to));
        json_add(tick, "text", text);
    }
}
