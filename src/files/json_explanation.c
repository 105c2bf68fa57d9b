#include "files/json_advice.h"

#include "advice/explanation.h"
#include "files/json.h"

#include <cjson/cJSON.h>

// cJSON refuses to add NULL, or to add to NULL: every failure to allocate ends in a false.
static bool add_known(cJSON *object, const char *key, bool known, double number)
{
    return known ? cJSON_AddNumberToObject(object, key, number) != NULL
                 : cJSON_AddNullToObject(object, key) != NULL;
}

// Null for a step that there is not, or that went wrong.
static bool add_values(cJSON *object, const char *key, const struct step_result *step)
{
    if (!step || went_wrong(step))
        return cJSON_AddNullToObject(object, key) != NULL;
    cJSON *values = cJSON_AddObjectToObject(object, key);
    bool good = cJSON_AddNumberToObject(values, "n", (double)step->n) != NULL;
    for (int i = 0; good && i < EXPLAINED; i++)
        good =
            add_known(values, quantities[explained[i]].key,
                      value_known(&step->values[explained[i]]), step->values[explained[i]].number);
    return good;
}

static bool add_limits(cJSON *object, const struct pair *pair)
{
    const struct limits *limits = pair->b ? &pair->b->limits : NULL;
    if (!limits || limits->limiter == LIMITER_UNKNOWN)
        return cJSON_AddNullToObject(object, "limits") != NULL;
    char text[SENTENCES_SIZE];
    explanation_sentences(text, pair);
    cJSON *json = cJSON_AddObjectToObject(object, "limits");
    bool good = cJSON_AddStringToObject(json, "limiter", limiter_key(limits->limiter)) &&
                cJSON_AddStringToObject(json, "explanation", text) &&
                cJSON_AddNumberToObject(json, "busy_sms", limits->busy_sms);
    cJSON *busy = cJSON_AddObjectToObject(json, "busy");
    for (enum resource i = 0; good && i < RESOURCES; i++)
        good = cJSON_AddNumberToObject(busy, resource_key(i), limits->busy[i]) != NULL;
    return good;
}

// Of the prediction, whose limits are known.
static bool add_advice(cJSON *object, const struct explanation *explanation,
                       const struct pair *pair)
{
    if (!pair->b || went_wrong(pair->b))
        return json_add_advice(object, NULL);
    struct findings findings = findings_of(explanation->predicted, pair->b);
    return json_add_advice(object, &findings);
}

static bool add_step(cJSON *steps, const struct explanation *explanation, const struct pair *pair)
{
    const struct step_result *step = pair->b ? pair->b : pair->a;
    cJSON *object = cJSON_CreateObject();
    bool good = cJSON_AddItemToArray(steps, object) &&
                cJSON_AddNumberToObject(object, "step", step->number) &&
                cJSON_AddStringToObject(object, "title", step->title) &&
                add_values(object, "measured", pair->a) && add_values(object, "predicted", pair->b);
    struct difference time = {.verdict = NOT_COMPARED};
    if (pair_is_comparable(pair))
        time = pair_difference(pair, TIME_MS);
    return good && add_known(object, "time_error", time.verdict != NOT_COMPARED, time.ratio - 1) &&
           add_limits(object, pair) && add_advice(object, explanation, pair);
}

static bool add_run(cJSON *root, const char *key, const struct run *run)
{
    if (!run)
        return cJSON_AddNullToObject(root, key) != NULL;
    cJSON *object = cJSON_AddObjectToObject(root, key);
    return cJSON_AddStringToObject(object, "run", run->label) &&
           cJSON_AddStringToObject(object, "kind", run->device.simulated ? "simulated" : "gpu") &&
           cJSON_AddStringToObject(object, "device", run->device.name) &&
           cJSON_AddNumberToObject(object, "n", (double)run->n);
}

char *json_of_explanation(const struct explanation *explanation)
{
    const struct comparison *comparison = &explanation->comparison;
    cJSON *root = cJSON_CreateObject();
    bool good = add_run(root, "measured", explanation->measured) &&
                add_run(root, "predicted", explanation->predicted);
    cJSON *steps = cJSON_AddArrayToObject(root, "steps");
    for (int i = 0; good && i < comparison->count; i++)
        good = add_step(steps, explanation, &comparison->pairs[i]);
    char *text = good && steps ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
