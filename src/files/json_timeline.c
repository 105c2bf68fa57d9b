// A trace as a timeline in Chrome's trace event format: an array of events, which chrome://tracing and
// ui.perfetto.dev show. A step is a process of it, with a row for the ranges and one for each stream's
// kernels, fills and copies of a direction. Steps stand one behind the other, whatever lay between them.
//
// The format: "Trace Event Format", Google, 2016. Complete events ("ph": "X") have a start and a
// duration in microseconds; those of a row must lie in one another or apart. Metadata ("ph": "M") names
// processes and rows.
#include "facts/trace.h"
#include "files/json.h"
#include "files/json_build.h"

#include <math.h>
#include <stdio.h>

enum { RANGES_ROW = 0, ROWS_A_STREAM = 8 };

static const double us_per_ns = 1e-3;

static cJSON *add_event(cJSON *events, const char *phase, const char *name, int process, double row)
{
    cJSON *event = json_object(events, NULL);
    json_add(event, "ph", phase);
    json_add(event, "name", name);
    json_add(event, "pid", process);
    json_add(event, "tid", row);
    return event;
}

static void add_name(cJSON *events, const char *what, int process, double row, const char *name)
{
    json_add(json_object(add_event(events, "M", what, process, row), "args"), "name", name);
}

static cJSON *add_span(cJSON *events, int process, double row, const char *name, double start_ns,
                       double duration_ns)
{
    cJSON *event = add_event(events, "X", name, process, row);
    json_add(event, "ts", start_ns * us_per_ns);
    json_add(event, "dur", duration_ns * us_per_ns);
    return event;
}

static double row_of(const struct activity *activity)
{
    int kind = activity->kind == ACTIVITY_COPY ? (int)activity->direction
                                               : (int)COPY_ELSEWHERE + 1 + (int)activity->kind;
    return 1 + (double)activity->stream * ROWS_A_STREAM + kind;
}

static void add_row_name(cJSON *events, int process, const struct activity *activity)
{
    char name[64];
    snprintf(name, sizeof name, "stream %u: %s%s", activity->stream,
             activity->kind == ACTIVITY_KERNEL ? "kernels"
             : activity->kind == ACTIVITY_FILL ? "fills"
                                               : "copies ",
             activity->kind == ACTIVITY_COPY ? copy_direction_name(activity->direction) : "");
    add_name(events, "thread_name", process, row_of(activity), name);
}

static void add_dimensions(cJSON *args, const char *key, const unsigned size[3])
{
    char text[64];
    snprintf(text, sizeof text, "[%u,%u,%u]", size[0], size[1], size[2]);
    json_add(args, key, text);
}

static void add_arguments(cJSON *event, const struct activities *activities,
                          const struct activity *activity)
{
    cJSON *args = json_object(event, "args");
    json_add(args, "phase", activity_phase(activities, activity));
    json_add(args, "provenance", provenance_name(activity->timed));
    if (activity->kind != ACTIVITY_KERNEL) {
        json_add(args, "bytes", activity->bytes);
        json_add(args, "throughput_gbs", activity_gbs(activity));
        return;
    }
    add_dimensions(args, "grid", activity->grid);
    add_dimensions(args, "block", activity->block);
    json_add(args, "registers", activity->registers);
    json_add(args, "static_shared_bytes", activity->static_shared);
    json_add(args, "dynamic_shared_bytes", activity->dynamic_shared);
}

static bool is_first_of_row(const struct activities *activities, int place)
{
    for (int i = 0; i < place; i++)
        if (row_of(&activities->list[i]) == row_of(&activities->list[place]))
            return false;
    return true;
}

// Those without times have no place on a timeline.
static void add_activities(cJSON *events, int process, const struct activities *activities,
                           double shift_ns)
{
    for (int i = 0; i < activities->count; i++) {
        const struct activity *activity = &activities->list[i];
        char name[FUNCTION_NAME_SIZE];
        activity_name(activities, activity, name);
        if (is_first_of_row(activities, i))
            add_row_name(events, process, activity);
        if (activity->timed != UNAVAILABLE)
            add_arguments(add_span(events, process, row_of(activity), name,
                                   activity->start_ns + shift_ns, activity->duration_ns),
                          activities, activity);
    }
}

static void add_ranges(cJSON *events, int process, const struct activities *activities,
                       double shift_ns)
{
    for (int i = 0; i < activities->range_count; i++) {
        const struct activity_range *range = &activities->ranges[i];
        add_span(events, process, RANGES_ROW, range->name, range->start_ns + shift_ns,
                 range->end_ns - range->start_ns);
    }
}

// Where a step's trace begins and ends on its own clock.
static void find_extent(const struct activities *activities, double *first_ns, double *last_ns)
{
    *first_ns = *last_ns = activities->range_count ? activities->ranges[0].start_ns : 0;
    for (int i = 0; i < activities->range_count; i++)
        *last_ns = fmax(*last_ns, activities->ranges[i].end_ns);
    for (int i = 0; i < activities->count; i++) {
        const struct activity *activity = &activities->list[i];
        if (activity->timed == UNAVAILABLE)
            continue;
        *first_ns = fmin(*first_ns, activity->start_ns);
        *last_ns = fmax(*last_ns, activity->start_ns + activity->duration_ns);
    }
}

// Adds one step from `*at_ns` on, and moves that behind it.
static void add_step(cJSON *events, const struct trace *trace, const struct traced_step *at,
                     double *at_ns)
{
    const struct step *step = step_find(at->at.step);
    const struct activities *activities = &at->activities;
    char short_name[STEP_NAME_SIZE], label[STEP_LABEL_SIZE], name[256];
    double first_ns, last_ns;
    find_extent(activities, &first_ns, &last_ns);
    step_name(step->file, short_name);
    snprintf(name, sizeof name, "%s %s, %s%s", step_label(step->number, label), short_name,
             trace->all.device.name, trace->all.device.simulated ? " (predicted times)" : "");
    double shift_ns = *at_ns - first_ns;
    *at_ns += last_ns - first_ns;
    add_name(events, "process_name", step->number, RANGES_ROW, name);
    add_name(events, "thread_name", step->number, RANGES_ROW, "ranges");
    add_ranges(events, step->number, activities, shift_ns);
    add_activities(events, step->number, activities, shift_ns);
}

char *timeline_of_trace(const struct trace *trace)
{
    cJSON *events = json_begin_array();
    double at_ns = 0;
    for (int i = 0; i < trace->all.count; i++)
        add_step(events, trace, &trace->steps[i], &at_ns);
    return json_print(events);
}
