// What the report's templates are filled with, a part of the page a function. Figures are text as people read it, and
// `exact` beside it is the number of the JSON.
#ifndef HTML_VIEW_H
#define HTML_VIEW_H

#include "base/style.h"
#include "files/html.h"
#include "files/json_build.h"

#include <math.h>

extern const struct style html_style; // UTF-8, no colour

// {"key", "text", "exact", "provenance", "why"}: of a metric's value.
void html_add_figure(cJSON *object, enum metric metric, const struct value *value);

// What stands in place of the figures of a step that went wrong, "" of any other. A record does not tell wrong from
// failed.
const char *html_wrong(const struct step_result *step); // html_run.c

// One decimal is enough for places in a picture.
void html_add_place(cJSON *object, const char *key, double pixels);

// The frame of both rooflines, and the gap between labels' lines, in the picture's pixels; right of it stand names.
enum { PLOT_LEFT = 56, PLOT_RIGHT = 500, PLOT_TOP = 16, PLOT_BOTTOM = 330, PLOT_LABEL_GAP = 15 };

// html_axis.c: an axis of whole decades: their exponents. It begins as HTML_NO_AXIS and is widened by what it shall hold, more than
// 0; it is none until most > least.
struct html_axis {
    double least, most;
};

#define HTML_NO_AXIS                                                                               \
    {                                                                                              \
        INFINITY, -INFINITY                                                                        \
    }
void html_axis_widen(struct html_axis *axis, double number);

// Where a number stands on the axis that goes from one place in the picture to another; and a tick for each decade,
// {"at", "text"}, in an array of that name.
double html_axis_place(const struct html_axis *axis, double number, double from, double to);
void html_add_ticks(cJSON *object, const char *name, const struct html_axis *axis, double from,
                    double to);

// A row and a bar a step, all bars of a page to the scale of `most` GB/s: the widest bar's (html_run.c).
double html_most_gbs(const struct run *run);
void html_add_summary(cJSON *object, const struct run *run, double most);

void html_add_panel(cJSON *object, const struct run *run, int place);              // html_panel.c
void html_add_comparison(cJSON *object, const struct run *a, const struct run *b); // html_panel.c
void html_add_memory(cJSON *object, const struct step_result *step);               // html_memory.c
void html_add_roofline(cJSON *object, const struct run *run);     // html_roofline.c
void html_add_instructions(cJSON *object, const struct run *run); // html_instructions.c
void html_add_lines(cJSON *object, int step, const cJSON *hotspots,
                    const cJSON *stalls);                  // html_lines.c
void html_add_timeline(cJSON *object, const cJSON *trace); // html_timeline.c

#endif
