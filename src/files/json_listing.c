#include "files/json.h"

#include "facts/metric_listing.h"
#include "files/json_build.h"

char *json_of_listing(const struct metric_listing *listing)
{
    static const char *const groups[LISTING_GROUPS] = {"panel", "count", "nvprof"};
    cJSON *root = json_begin();
    json_add(root, "chip", listing->chip);
    cJSON *metrics = json_array(root, "metrics");
    for (int i = 0; i < listing->count; i++) {
        const struct listed_metric *metric = &listing->metrics[i];
        cJSON *object = json_object(metrics, NULL);
        json_add(object, "name", metric->name);
        json_add(object, "group", groups[metric->group]);
        json_add(object, "formula", metric->formula);
        json_add(object, "cupti", metric->cupti);
        if (metric->presence == PRESENCE_UNKNOWN)
            json_add_text(object, "present", NULL);
        else
            json_add_bool(object, "present", metric->presence == PRESENT);
        json_add(object, "detail", metric->detail);
        json_add(object, "note", metric->note);
    }
    return json_print(root);
}
