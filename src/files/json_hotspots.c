#include "show/hotspots_page.h"

#include <cjson/cJSON.h>

static const char *state_name(enum source_state state)
{
    static const char *const names[] = {
        [SOURCE_AS_BUILT] = "as built", [SOURCE_EDITED] = "edited", [SOURCE_MISSING] = "missing"};
    return names[state];
}

// Every function is false when memory ran out: adding NULL is refused. Numbers are exact up to 2^53.
static bool add_access(cJSON *accesses, const struct hotspot_step *step,
                       const struct source_file *source, const struct line_access *access)
{
    const char *file = step->lines.files.names[access->file];
    cJSON *object = cJSON_CreateObject();
    return cJSON_AddItemToArray(accesses, object) &&
           cJSON_AddStringToObject(object, "file",
                                   source_file_is(source, file) ? source->name : file) &&
           cJSON_AddNumberToObject(object, "line", access->line) &&
           cJSON_AddStringToObject(object, "access", access_kind_name(access->kind)) &&
           cJSON_AddNumberToObject(object, "executions", (double)access->executions) &&
           cJSON_AddStringToObject(
               object, "unit", access_kind_is_global(access->kind) ? "sectors" : "wavefronts") &&
           cJSON_AddNumberToObject(object, "passes", (double)access->passes) &&
           cJSON_AddNumberToObject(object, "ideal", (double)access->ideal);
}

static bool add_counts(cJSON *object, const struct hotspot_step *step,
                       const struct source_file *source)
{
    struct hotspot_sum sum = hotspot_sum(&step->lines);
    if (!cJSON_AddNumberToObject(object, "passes", (double)sum.passes) ||
        !cJSON_AddNumberToObject(object, "excess", (double)sum.excess) ||
        !cJSON_AddBoolToObject(object, "complete", !step->lines.overflowed) ||
        !cJSON_AddItemToObject(object, "worst_line",
                               sum.worst ? cJSON_CreateNumber(sum.worst->line)
                                         : cJSON_CreateNull()))
        return false;
    cJSON *accesses = cJSON_AddArrayToObject(object, "accesses");
    bool good = accesses;
    for (int i = 0; good && i < step->lines.count; i++)
        good = add_access(accesses, step, source, &step->lines.accesses[i]);
    return good;
}

static bool add_step(cJSON *steps, const struct hotspot_step *step)
{
    struct source_file source = source_file_find(step_find(step->at.step)->file);
    cJSON *object = cJSON_CreateObject();
    bool verified = step->at.outcome == VERIFIED;
    return cJSON_AddItemToArray(steps, object) &&
           cJSON_AddNumberToObject(object, "step", step->at.step) &&
           cJSON_AddStringToObject(object, "file", source.name) &&
           cJSON_AddStringToObject(object, "source", state_name(source.state)) &&
           cJSON_AddNumberToObject(object, "n", (double)step->at.n) &&
           cJSON_AddBoolToObject(object, "verified", verified) &&
           cJSON_AddItemToObject(object, "error",
                                 verified ? cJSON_CreateNull()
                                          : cJSON_CreateString(step->at.complaint)) &&
           (!verified || add_counts(object, step, &source));
}

char *json_of_hotspots(const struct inspection *inspection)
{
    const struct hotspots *hotspots = (const struct hotspots *)inspection;
    cJSON *root = cJSON_CreateObject(), *device = cJSON_AddObjectToObject(root, "device");
    bool good = cJSON_AddStringToObject(device, "kind",
                                        inspection->device.simulated ? "simulated" : "gpu") &&
                cJSON_AddStringToObject(device, "name", inspection->device.name) &&
                cJSON_AddNumberToObject(root, "n", (double)inspection->n) &&
                cJSON_AddStringToObject(root, "provenance",
                                        inspection->device.simulated ? "counted" : "measured");
    cJSON *steps = cJSON_AddArrayToObject(root, "steps");
    for (int i = 0; good && i < inspection->count; i++)
        good = add_step(steps, &hotspots->steps[i]);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
