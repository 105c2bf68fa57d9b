#include "advice/explanation.h"
#include "files/json.h"
#include "files/json_build.h"

// Null for a step that there is not, or that went wrong.
static void add_values(cJSON *object, const char *key, const struct step_result *step)
{
    if (!step || went_wrong(step)) {
        json_add_text(object, key, NULL);
        return;
    }
    cJSON *values = json_object(object, key);
    json_add(values, "n", step->n);
    for (int i = 0; i < EXPLAINED; i++)
        json_add(values, metric_table[explained[i]].key, &step->values[explained[i]]);
}

static void add_limits(cJSON *object, const struct pair *pair)
{
    const struct limits *limits = pair->b ? &pair->b->limits : NULL;
    if (!limits || limits->limiter == LIMITER_UNKNOWN) {
        json_add_text(object, "limits", NULL);
        return;
    }
    char text[SENTENCES_SIZE];
    explanation_sentences(text, pair);
    cJSON *json = json_object(object, "limits");
    json_add(json, "limiter", limiters[limits->limiter].key);
    json_add(json, "explanation", text);
    json_add(json, "busy_sms", limits->busy_sms);
    cJSON *busy = json_object(json, "busy");
    for (enum resource i = 0; i < RESOURCES; i++)
        json_add(busy, resources[i].key, limits->busy[i]);
}

// The advice is on the prediction, whose limits are known.
static void add_step(cJSON *object, const struct explanation *explanation, const struct pair *pair)
{
    const struct step_result *step = pair->b ? pair->b : pair->a;
    json_add(object, "step", step->number);
    json_add(object, "title", step->title);
    add_values(object, "measured", pair->a);
    add_values(object, "predicted", pair->b);
    struct difference time = {.verdict = NOT_COMPARED};
    if (pair_is_comparable(pair))
        time = pair_difference(pair, TIME_MS);
    json_add_if(object, "time_error", time.verdict != NOT_COMPARED, time.ratio - 1);
    add_limits(object, pair);
    bool advised = pair->b && !went_wrong(pair->b);
    json_add_advice(object, explanation->predicted, advised ? pair->b : NULL);
}

static void add_run(cJSON *root, const char *key, const struct run *run)
{
    if (!run) {
        json_add_text(root, key, NULL);
        return;
    }
    cJSON *object = json_object(root, key);
    json_add(object, "run", run->label);
    json_add(object, "kind", run->device.simulated ? "simulated" : "gpu");
    json_add(object, "device", run->device.name);
    json_add(object, "n", run->n);
}

char *json_of_explanation(const struct explanation *explanation)
{
    const struct comparison *comparison = &explanation->comparison;
    cJSON *root = json_begin();
    add_run(root, "measured", explanation->measured);
    add_run(root, "predicted", explanation->predicted);
    cJSON *steps = json_array(root, "steps");
    for (int i = 0; i < comparison->count; i++)
        add_step(json_object(steps, NULL), explanation, &comparison->pairs[i]);
    return json_print(root);
}
