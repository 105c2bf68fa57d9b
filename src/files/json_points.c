#include "files/json.h"

#include "facts/points.h"
#include "facts/version.h"

#include <cjson/cJSON.h>

// cJSON refuses to add NULL, or to add to NULL: every failure to allocate ends in a false.
static bool add_value(cJSON *object, cJSON *provenances, const char *key, const struct value *value)
{
    char reason[WHY_SIZE + 32];
    snprintf(reason, sizeof reason, "%s: %s", provenance_name(UNAVAILABLE), value->why);
    bool known = value_known(value);
    return (known ? cJSON_AddNumberToObject(object, key, value->number)
                  : cJSON_AddNullToObject(object, key)) &&
           cJSON_AddStringToObject(provenances, key,
                                   known ? provenance_name(value->provenance) : reason);
}

static bool add_text(cJSON *object, const char *key, const char *text)
{
    return *text ? cJSON_AddStringToObject(object, key, text) : cJSON_AddNullToObject(object, key);
}

static bool add_count(cJSON *object, const char *key, int count)
{
    return count > 0 ? cJSON_AddNumberToObject(object, key, count)
                     : cJSON_AddNullToObject(object, key);
}

static bool add_outcome(cJSON *object, const struct step_result *step)
{
    bool known = went_wrong(step) || step->outcome == VERIFIED;
    return known ? cJSON_AddBoolToObject(object, "verified", !went_wrong(step))
                 : cJSON_AddNullToObject(object, "verified");
}

static bool add_point(cJSON *object, const struct point *point, const struct selection *selection)
{
    const struct step_result *step = &point->step;
    cJSON *provenances = cJSON_CreateObject();
    bool good = add_text(object, "run", point->run) &&
                cJSON_AddNumberToObject(object, "step", step->number) &&
                add_text(object, "title", step->title) &&
                cJSON_AddNumberToObject(object, "n", (double)step->n) &&
                add_count(object, "tile", point->tile) && add_count(object, "rows", point->rows) &&
                add_text(object, "device", point->device) && add_outcome(object, step) &&
                add_text(object, "error", step->complaint) &&
                add_value(object, provenances, "time_ms", &step->values[TIME_MS]) &&
                add_value(object, provenances, "bandwidth_gbs", &step->values[BANDWIDTH_GBS]) &&
                add_value(object, provenances, "copy_gbs", &point->copy_gbs) &&
                add_value(object, provenances, "percent_of_copy", &point->share);
    for (int i = 0; good && i < selection->count; i++) {
        enum quantity quantity = selection->quantities[i];
        good = add_value(object, provenances, quantities[quantity].key, &step->values[quantity]);
    }
    if (good && cJSON_AddItemToObject(object, "provenance", provenances))
        return true;
    cJSON_Delete(provenances);
    return false;
}

char *json_of_points(const struct point *points, int count, const struct selection *selection)
{
    cJSON *root = cJSON_CreateObject();
    bool good = cJSON_AddStringToObject(root, "kit", "apodkit " KIT_VERSION);
    cJSON *array = cJSON_AddArrayToObject(root, "points");
    for (int i = 0; good && i < count; i++) {
        cJSON *object = cJSON_CreateObject();
        good = cJSON_AddItemToArray(array, object) && add_point(object, &points[i], selection);
    }
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
