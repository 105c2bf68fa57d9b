#include "files/json_advice.h"

#include <stdio.h>

// cJSON refuses to add NULL, or to add to NULL: every failure to allocate ends in a false.
static bool add_bound(cJSON *object, const struct advice *advice)
{
    if (value_known(&advice->bound_ms))
        return cJSON_AddNumberToObject(object, "bound_ms", advice->bound_ms.number) &&
               cJSON_AddStringToObject(object, "bound_by", bound_by_key(advice->bound_by)) &&
               cJSON_AddStringToObject(object, "provenance",
                                       provenance_name(advice->bound_ms.provenance));
    char reason[WHY_SIZE + 32];
    snprintf(reason, sizeof reason, "%s: %s", provenance_name(UNAVAILABLE), advice->bound_ms.why);
    return cJSON_AddNullToObject(object, "bound_ms") && cJSON_AddNullToObject(object, "bound_by") &&
           cJSON_AddStringToObject(object, "provenance", reason);
}

static bool add_one(cJSON *array, const struct advice *advice)
{
    cJSON *object = cJSON_CreateObject();
    bool good = cJSON_AddItemToArray(array, object) &&
                cJSON_AddStringToObject(object, "rule", advice->rule) &&
                cJSON_AddStringToObject(object, "limit", advice->limit) &&
                cJSON_AddStringToObject(object, "because", advice->because) &&
                cJSON_AddStringToObject(object, "text", advice->next);
    cJSON *evidence = cJSON_AddObjectToObject(object, "evidence");
    for (int i = 0; good && i < advice->evidence_count; i++)
        good = cJSON_AddNumberToObject(evidence, advice->evidence[i].key,
                                       advice->evidence[i].number) != NULL;
    return good && add_bound(object, advice) &&
           (advice->section ? cJSON_AddStringToObject(object, "section", advice->section)
                            : cJSON_AddNullToObject(object, "section")) != NULL;
}

bool json_add_advice(cJSON *step, const struct findings *findings)
{
    struct advice list[MAX_ADVICE];
    int count = findings ? advise(findings, list) : 0;
    cJSON *array = cJSON_AddArrayToObject(step, "advice");
    bool good = array != NULL;
    for (int i = 0; good && i < count; i++)
        good = add_one(array, &list[i]);
    return good;
}
