// The memory chart as a picture: units below each other, ways between them.
#include "facts/format.h"
#include "facts/memory_ways.h"
#include "files/html_view.h"

#include <math.h>
#include <string.h>

// In the picture's pixels.
enum {
    COLUMN_WIDTH = 176,
    FIRST_COLUMN = 16,
    BOX_HEIGHT = 44,
    WAY_HEIGHT = 84,
    ARROW_AT = 12, // from the column's left
    LABEL_AT = 28,
    LABEL_LINE = 17,
    MARGIN = 8,
    THINNEST = 1,
    THICKEST = 9,
};

static int box_y(enum memory_unit unit)
{
    return MARGIN + (int)unit * (BOX_HEIGHT + WAY_HEIGHT);
}

// Up, down, and beside each other what goes both ways.
static int column_of(const struct step_result *step, enum memory_way way)
{
    int column = memory_ways[way].direction == BOTH ? 2 : memory_ways[way].direction == DOWN;
    for (enum memory_way i = 0; i < way && column >= 2; i++)
        column += memory_ways[i].direction == BOTH && memory_has_way(step, i);
    return column;
}

static double most_bytes(const struct step_result *step)
{
    double most = 0;
    for (enum memory_way i = 0; i < MEMORY_WAYS; i++)
        most = fmax(most, memory_bytes(step, i).number);
    return most;
}

static void add_label(cJSON *labels, double x, double y, const char *words, enum metric metric,
                      const struct value *value)
{
    char number[FORMAT_SIZE], text[2 * FORMAT_SIZE];
    cJSON *label = json_object(labels, NULL);
    format_value(number, metric, value, &html_style);
    if (value_known(value))
        snprintf(text, sizeof text, "%s %s", number, metric == SHARED_BYTES ? "" : words);
    else
        snprintf(text, sizeof text, "%s not known", words);
    html_add_place(label, "x", x);
    html_add_place(label, "y", y);
    json_add(label, "text", text);
    json_add(label, "title", value_known(value) ? provenance_name(value->provenance) : value->why);
}

static void add_labels(cJSON *object, const struct step_result *step, enum memory_way way, double x,
                       double y)
{
    const struct memory_way_row *row = &memory_ways[way];
    struct value bytes = memory_bytes(step, way);
    cJSON *labels = json_array(object, "labels");
    const struct {
        enum metric metric;
        const char *words;
    } counted[] = {{row->requests, "requests"}, {row->pieces, row->piece}};
    for (int i = 0; i < 2; i++)
        if (counted[i].metric < METRICS) {
            add_label(labels, x, y, counted[i].words, counted[i].metric,
                      &step->values[counted[i].metric]);
            y += LABEL_LINE;
        }
    add_label(labels, x, y, "bytes", SHARED_BYTES, &bytes);
}

static void add_way(cJSON *object, const struct step_result *step, enum memory_way way, double most)
{
    const struct memory_way_row *row = &memory_ways[way];
    struct value bytes = memory_bytes(step, way);
    double x = FIRST_COLUMN + column_of(step, way) * COLUMN_WIDTH;
    double top = box_y(row->lower) - WAY_HEIGHT + 4, bottom = box_y(row->lower) - 4;
    double width = bytes.number > 0 ? fmax(THINNEST, THICKEST * bytes.number / most) : THINNEST;
    bool up = row->direction != DOWN, down = row->direction != UP;
    json_add(object, "key", row->key);
    json_add(object, "name", row->name);
    html_add_place(object, "x", x + ARROW_AT);
    html_add_place(object, "label_x", x + LABEL_AT);
    html_add_place(object, "label_y", top + 13);
    html_add_place(object, "y1", top + (up ? 9 : 0));
    html_add_place(object, "y2", bottom - (down ? 9 : 0));
    html_add_place(object, "width", width);
    json_add(object, "up", up);
    json_add(object, "down", down);
    html_add_place(object, "top", top);
    html_add_place(object, "bottom", bottom);
    html_add_place(object, "left", x + ARROW_AT - 7);
    html_add_place(object, "right", x + ARROW_AT + 7);
    html_add_place(object, "top_base", top + 10);
    html_add_place(object, "bottom_base", bottom - 10);
    json_add_bool(object, "is_used", bytes.number > 0);
    add_labels(object, step, way, x + LABEL_AT, top + 13 + LABEL_LINE);
}

static void add_unit(cJSON *object, const struct step_result *step, enum memory_unit unit)
{
    const struct memory_unit_row *row = &memory_units[unit];
    json_add(object, "key", row->key);
    json_add(object, "name", row->name);
    html_add_place(object, "y", box_y(unit));
    html_add_place(object, "text_y", box_y(unit) + BOX_HEIGHT / 2.0 + 5);
    const enum metric shown[] = {row->hit_rate, row->utilization};
    char text[3 * FORMAT_SIZE] = "";
    for (int i = 0; i < 2; i++) {
        char number[FORMAT_SIZE];
        if (shown[i] == METRICS)
            continue;
        const struct value *value = &step->values[shown[i]];
        format_value(number, shown[i], value, &html_style);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %s", used ? ", " : "",
                 i == 0 ? "hit rate" : "of its peak", value_known(value) ? number : "not known");
    }
    json_add(object, "shares", text);
}

static void add_reason(void *context, const char *what, const char *why)
{
    cJSON *reason = json_object(context, NULL);
    json_add(reason, "what", what);
    json_add(reason, "why", why);
}

void html_add_memory(cJSON *object, const struct step_result *step)
{
    double most = most_bytes(step);
    cJSON *units = json_array(object, "units"), *ways = json_array(object, "ways");
    for (enum memory_unit i = 0; i < MEMORY_UNITS; i++)
        add_unit(json_object(units, NULL), step, i);
    for (enum memory_way i = 0; i < MEMORY_WAYS; i++)
        if (memory_has_way(step, i))
            add_way(json_object(ways, NULL), step, i, most);
    int right = FIRST_COLUMN + (column_of(step, WAY_SHARED) + 1) * COLUMN_WIDTH;
    json_add(object, "picture_width", right + MARGIN + 8);
    json_add(object, "box_width", right);
    json_add(object, "shares_x", right - 4);
    memory_reasons(step, add_reason, json_array(object, "reasons"));
}
