#include "files/json.h"

#include "facts/comparison.h"
#include "files/json_build.h"

static void add_difference(cJSON *object, const struct pair *pair, enum metric metric)
{
    struct difference difference = pair_difference(pair, metric);
    const struct value *a = difference.a, *b = difference.b;
    bool compared = difference.verdict != NOT_COMPARED;
    json_add(object, "a", a);
    json_add(object, "b", b);
    json_add_if(object, "change", compared, difference.change);
    json_add_if(object, "relative", compared && a->number != 0, difference.ratio - 1);
    json_add(object, "verdict", verdict_name(difference.verdict));
    json_add_provenance(object, "provenance_a", a->provenance, a->why);
    json_add_provenance(object, "provenance_b", b->provenance, b->why);
}

static void add_remarks(cJSON *object, const struct remarks *remarks)
{
    cJSON *array = json_array(object, "unlike");
    for (int i = 0; i < remarks->count; i++)
        json_add(array, NULL, remarks->texts[i]);
}

static void add_pair(cJSON *object, const struct pair *pair)
{
    const struct step_result *a = pair->a, *b = pair->b;
    struct remarks remarks;
    pair_remark(pair, &remarks);
    json_add(object, "step", (b ? b : a)->number);
    json_add(object, "title", (b ? b : a)->title);
    json_add_if(object, "n_a", a, a ? (double)a->n : 0);
    json_add_if(object, "n_b", b, b ? (double)b->n : 0);
    add_remarks(object, &remarks);
    cJSON *values = json_object(object, "values");
    for (enum metric i = 0; pair_is_comparable(pair) && i < METRICS; i++)
        add_difference(json_object(values, metric_table[i].key), pair, i);
}

static void add_run(cJSON *object, const struct run *run)
{
    json_add(object, "run", run->label);
    json_add(object, "kit", run->kit);
    json_add(object, "kind", run->device.simulated ? "simulated" : "gpu");
    json_add(object, "device", run->device.name);
    json_add(object, "n", run->n);
}

char *json_of_comparison(const struct comparison *comparison)
{
    cJSON *root = json_begin();
    add_run(json_object(root, "a"), comparison->a);
    add_run(json_object(root, "b"), comparison->b);
    add_remarks(root, &comparison->remarks);
    cJSON *steps = json_array(root, "steps");
    for (int i = 0; i < comparison->count; i++)
        add_pair(json_object(steps, NULL), &comparison->pairs[i]);
    return json_print(root);
}
