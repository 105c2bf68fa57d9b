#include "files/json.h"

#include "facts/points.h"
#include "facts/version.h"
#include "files/json_build.h"

static void add_outcome(cJSON *object, const struct step_result *step)
{
    if (went_wrong(step) || step->outcome == VERIFIED)
        json_add_bool(object, "verified", !went_wrong(step));
    else
        json_add_text(object, "verified", NULL);
}

static void add_point(cJSON *object, const struct point *point, const struct selection *selection)
{
    const struct step_result *step = &point->step;
    cJSON *provenances = cJSON_CreateObject();
    json_add_known_text(object, "run", point->run);
    json_add(object, "step", step->number);
    json_add_known_text(object, "title", step->title);
    json_add(object, "n", step->n);
    json_add_known(object, "tile", point->tile);
    json_add_known(object, "rows", point->rows);
    json_add_known_text(object, "device", point->device);
    add_outcome(object, step);
    json_add_known_text(object, "error", step->complaint);
    json_add_both(object, "time_ms", &step->values[TIME_MS], provenances);
    json_add_known(object, "time_low_ms", step->timing.low_ms);
    json_add_known(object, "time_high_ms", step->timing.high_ms);
    json_add_both(object, "bandwidth_gbs", &step->values[BANDWIDTH_GBS], provenances);
    json_add_both(object, "copy_gbs", &point->copy_gbs, provenances);
    json_add_both(object, "percent_of_copy", &point->share, provenances);
    for (int i = 0; i < selection->count; i++) {
        enum metric metric = selection->metric_table[i];
        json_add_both(object, metric_table[metric].key, &step->values[metric], provenances);
    }
    cJSON_AddItemToObject(object, "provenance", provenances);
}

char *json_of_points(const struct point *points, int count, const struct selection *selection)
{
    cJSON *root = json_begin();
    json_add(root, "kit", "apodkit " KIT_VERSION);
    cJSON *array = json_array(root, "points");
    for (int i = 0; i < count; i++)
        add_point(json_object(array, NULL), &points[i], selection);
    return json_print(root);
}
