// What a device did for each step, on a line of its time, from what ./run trace wrote as JSON.
#include "facts/format.h"
#include "files/html_view.h"

#include <math.h>
#include <string.h>

enum { LEFT = 96, RIGHT = 700, ROW = 26, TOP = 10, THINNEST = 1 }; // in the picture's pixels

static double end_of(const cJSON *activity)
{
    return json_get_number(activity, "start_ns") + json_get_number(activity, "duration_ns");
}

static bool is_modelled(const cJSON *activity)
{
    return strcmp(json_get_text(activity, "provenance"), provenance_name(MODELLED)) == 0;
}

// A step's activities from the first one's start to the last one's end; `modelled` where any is.
struct span {
    double start, end;
    bool modelled;
};

static struct span find_span(const cJSON *step)
{
    struct span span = {INFINITY, -INFINITY, false};
    const cJSON *activity;
    cJSON_ArrayForEach(activity, json_get(step, "activities"))
    {
        if (!cJSON_IsNumber(json_get(activity, "start_ns")))
            continue;
        span.start = fmin(span.start, json_get_number(activity, "start_ns"));
        span.end = fmax(span.end, end_of(activity));
        span.modelled = span.modelled || is_modelled(activity);
    }
    return span;
}

static void add_time(cJSON *object, const char *key, double ns, bool modelled)
{
    struct value time = value_of(ns * 1e-6, modelled ? MODELLED : MEASURED);
    char text[FORMAT_SIZE];
    format_value(text, TIME_MS, &time, &html_style);
    json_add(object, key, text);
}

static void add_activity(cJSON *object, const cJSON *activity, double start, double scale)
{
    double ns = json_get_number(activity, "duration_ns");
    add_time(object, "duration", ns, is_modelled(activity));
    json_add(object, "kind", json_get_text(activity, "kind"));
    json_add(object, "name", json_get_text(activity, "name"));
    html_add_place(object, "x", LEFT + (json_get_number(activity, "start_ns") - start) * scale);
    html_add_place(object, "width", fmax(THINNEST, ns * scale));
}

static void add_step(cJSON *object, const cJSON *step, double y)
{
    struct span span = find_span(step);
    double scale = (RIGHT - LEFT) / (span.end - span.start);
    char label[STEP_LABEL_SIZE];
    add_time(object, "span", span.end - span.start, span.modelled);
    json_add(object, "label", step_label(json_get_number(step, "step"), label));
    html_add_place(object, "y", y);
    html_add_place(object, "text_y", y + 15);
    cJSON *activities = json_array(object, "activities");
    const cJSON *activity;
    cJSON_ArrayForEach(activity, json_get(step, "activities"))
    {
        if (cJSON_IsNumber(json_get(activity, "start_ns")))
            add_activity(json_object(activities, NULL), activity, span.start, scale);
    }
}

void html_add_timeline(cJSON *object, const cJSON *trace)
{
    const cJSON *step;
    double y = TOP;
    cJSON *timeline = json_object(object, "timeline"), *steps = json_array(timeline, "steps");
    json_add(timeline, "device", json_get_text(json_get(trace, "device"), "name"));
    json_add(timeline, "n", json_get_number(trace, "n"));
    cJSON_ArrayForEach(step, json_get(trace, "steps"))
    {
        struct span span = find_span(step);
        if (!(span.end > span.start))
            continue;
        add_step(json_object(steps, NULL), step, y);
        y += ROW;
    }
    json_add(timeline, "height", y + TOP);
}
