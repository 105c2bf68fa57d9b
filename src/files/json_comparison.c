#include "files/json.h"

#include "facts/comparison.h"

#include <cjson/cJSON.h>
#include <stdio.h>

// cJSON refuses to add NULL, or to add to NULL: every failure to allocate ends in a false.
static bool add_value(cJSON *object, const char *key, const struct value *value)
{
    return value_known(value) ? cJSON_AddNumberToObject(object, key, value->number) != NULL
                              : cJSON_AddNullToObject(object, key) != NULL;
}

static bool add_number_if(cJSON *object, const char *key, bool known, double number)
{
    struct value value = {.number = number, .provenance = known ? MEASURED : UNAVAILABLE};
    return add_value(object, key, &value);
}

static bool add_provenance(cJSON *object, const char *key, const struct value *value)
{
    char text[WHY_SIZE + 32];
    snprintf(text, sizeof text, "%s%s%s", provenance_name(value->provenance),
             value_known(value) ? "" : ": ", value_known(value) ? "" : value->why);
    return cJSON_AddStringToObject(object, key, text) != NULL;
}

static bool add_difference(cJSON *values, const struct pair *pair, enum quantity quantity)
{
    struct difference difference = pair_difference(pair, quantity);
    bool compared = difference.verdict != NOT_COMPARED;
    cJSON *object = cJSON_AddObjectToObject(values, quantities[quantity].key);
    return add_value(object, "a", difference.a) && add_value(object, "b", difference.b) &&
           add_number_if(object, "change", compared, difference.change) &&
           add_number_if(object, "relative", compared && difference.a->number != 0,
                         difference.ratio - 1) &&
           cJSON_AddStringToObject(object, "verdict", verdict_name(difference.verdict)) &&
           add_provenance(object, "provenance_a", difference.a) &&
           add_provenance(object, "provenance_b", difference.b);
}

static bool add_remarks(cJSON *object, const struct remarks *remarks)
{
    cJSON *array = cJSON_AddArrayToObject(object, "unlike");
    bool good = array != NULL;
    for (int i = 0; good && i < remarks->count; i++)
        good = cJSON_AddItemToArray(array, cJSON_CreateString(remarks->texts[i]));
    return good;
}

static bool add_pair(cJSON *steps, const struct pair *pair)
{
    const struct step_result *step = pair->b ? pair->b : pair->a;
    struct remarks remarks;
    pair_remark(pair, &remarks);
    cJSON *object = cJSON_CreateObject();
    bool good = cJSON_AddItemToArray(steps, object) &&
                cJSON_AddNumberToObject(object, "step", step->number) &&
                cJSON_AddStringToObject(object, "title", step->title) &&
                add_number_if(object, "n_a", pair->a, pair->a ? (double)pair->a->n : 0) &&
                add_number_if(object, "n_b", pair->b, pair->b ? (double)pair->b->n : 0) &&
                add_remarks(object, &remarks);
    cJSON *values = cJSON_AddObjectToObject(object, "values");
    good = good && values;
    for (enum quantity i = 0; good && pair_is_comparable(pair) && i < QUANTITIES; i++)
        good = add_difference(values, pair, i);
    return good;
}

static bool add_run(cJSON *root, const char *key, const struct run *run)
{
    cJSON *object = cJSON_AddObjectToObject(root, key);
    return cJSON_AddStringToObject(object, "run", run->label) &&
           cJSON_AddStringToObject(object, "kit", run->kit) &&
           cJSON_AddStringToObject(object, "kind", run->device.simulated ? "simulated" : "gpu") &&
           cJSON_AddStringToObject(object, "device", run->device.name) &&
           cJSON_AddNumberToObject(object, "n", (double)run->n);
}

char *json_of_comparison(const struct comparison *comparison)
{
    cJSON *root = cJSON_CreateObject();
    bool good = add_run(root, "a", comparison->a) && add_run(root, "b", comparison->b) &&
                add_remarks(root, &comparison->remarks);
    cJSON *steps = cJSON_AddArrayToObject(root, "steps");
    for (int i = 0; good && i < comparison->count; i++)
        good = add_pair(steps, &comparison->pairs[i]);
    char *text = good && steps ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
