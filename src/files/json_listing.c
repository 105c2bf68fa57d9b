#include "files/json.h"

#include "facts/metric_listing.h"

#include <cjson/cJSON.h>
#include <stddef.h>

static cJSON *string_or_null(const char *string)
{
    return string ? cJSON_CreateString(string) : cJSON_CreateNull();
}

static cJSON *presence(enum presence presence)
{
    return presence == PRESENCE_UNKNOWN ? cJSON_CreateNull()
                                        : cJSON_CreateBool(presence == PRESENT);
}

// Adding NULL, after memory ran out, is refused: false then.
static int add_metric(cJSON *metrics, const struct listed_metric *metric)
{
    static const char *const groups[LISTING_GROUPS] = {"panel", "count", "nvprof"};
    cJSON *object = cJSON_CreateObject();
    return cJSON_AddItemToArray(metrics, object) &&
           cJSON_AddStringToObject(object, "name", metric->name) &&
           cJSON_AddStringToObject(object, "group", groups[metric->group]) &&
           cJSON_AddItemToObject(object, "formula", string_or_null(metric->formula)) &&
           cJSON_AddItemToObject(object, "cupti", string_or_null(metric->cupti)) &&
           cJSON_AddItemToObject(object, "present", presence(metric->presence)) &&
           cJSON_AddStringToObject(object, "detail", metric->detail) &&
           cJSON_AddStringToObject(object, "note", metric->note);
}

char *json_of_listing(const struct metric_listing *listing)
{
    cJSON *root = cJSON_CreateObject();
    int good = cJSON_AddItemToObject(root, "chip", string_or_null(listing->chip));
    cJSON *metrics = cJSON_AddArrayToObject(root, "metrics");
    for (int i = 0; good && i < listing->count; i++)
        good = add_metric(metrics, &listing->metrics[i]);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
