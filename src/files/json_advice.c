#include "advice/advice.h"
#include "files/json_build.h"

static void add_one(cJSON *object, const struct advice *advice)
{
    json_add(object, "rule", advice->rule);
    json_add(object, "limit", advice->limit);
    json_add(object, "because", advice->because);
    json_add(object, "text", advice->next);
    cJSON *evidence = json_object(object, "evidence");
    for (int i = 0; i < advice->evidence_count; i++)
        json_add(evidence, advice->evidence[i].key, advice->evidence[i].number);
    const struct value *bound = &advice->bound_ms;
    json_add(object, "bound_ms", bound);
    json_add(object, "bound_by", value_known(bound) ? bound_by_key(advice->bound_by) : NULL);
    json_add_provenance(object, "provenance", bound->provenance, bound->why);
    json_add(object, "section", advice->section);
}

void json_add_advice(cJSON *object, const struct run *run, const struct step_result *step)
{
    struct advice list[MAX_ADVICE];
    cJSON *array = json_array(object, "advice");
    if (!step)
        return;
    struct findings findings = findings_of(run, step);
    int count = advise(&findings, list);
    for (int i = 0; i < count; i++)
        add_one(json_object(array, NULL), &list[i]);
}
