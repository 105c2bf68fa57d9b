#include "show/trace_page.h"

#include <cjson/cJSON.h>

// Every function is false when memory ran out: adding NULL is refused. Numbers are exact up to 2^53.

static bool add_known(cJSON *object, const char *key, double number, bool known)
{
    return cJSON_AddItemToObject(object, key,
                                 known ? cJSON_CreateNumber(number) : cJSON_CreateNull());
}

static bool add_dimensions(cJSON *object, const char *key, const unsigned size[3])
{
    return cJSON_AddItemToObject(
        object, key, cJSON_CreateIntArray((int[]){(int)size[0], (int)size[1], (int)size[2]}, 3));
}

static bool add_kernel(cJSON *object, const struct activity *activity)
{
    return add_dimensions(object, "grid", activity->grid) &&
           add_dimensions(object, "block", activity->block) &&
           cJSON_AddNumberToObject(object, "registers", activity->registers) &&
           cJSON_AddBoolToObject(object, "registers_estimated", activity->registers_estimated) &&
           cJSON_AddNumberToObject(object, "static_shared_bytes",
                                   (double)activity->static_shared) &&
           cJSON_AddNumberToObject(object, "dynamic_shared_bytes",
                                   (double)activity->dynamic_shared);
}

static bool add_transfer(cJSON *object, const struct activity *activity)
{
    double gbs = activity_gbs(activity);
    return cJSON_AddNumberToObject(object, "bytes", (double)activity->bytes) &&
           add_known(object, "throughput_gbs", gbs, gbs > 0) &&
           (activity->kind == ACTIVITY_FILL ||
            cJSON_AddStringToObject(object, "direction", copy_direction_name(activity->direction)));
}

static bool add_activity(cJSON *list, const struct activities *activities,
                         const struct activity *activity)
{
    static const char *const kinds[] = {
        [ACTIVITY_KERNEL] = "kernel", [ACTIVITY_COPY] = "memcpy", [ACTIVITY_FILL] = "memset"};
    char name[FUNCTION_NAME_SIZE];
    activity_name(activities, activity, name);
    bool timed = activity->timed != UNAVAILABLE;
    cJSON *object = cJSON_CreateObject();
    return cJSON_AddItemToArray(list, object) &&
           cJSON_AddStringToObject(object, "kind", kinds[activity->kind]) &&
           cJSON_AddStringToObject(object, "name", name) &&
           add_known(object, "range", activity->range, activity->range >= 0) &&
           cJSON_AddNumberToObject(object, "stream", activity->stream) &&
           add_known(object, "start_ns", activity->start_ns, timed) &&
           add_known(object, "duration_ns", activity->duration_ns, timed) &&
           cJSON_AddStringToObject(object, "provenance", provenance_name(activity->timed)) &&
           (activity->kind == ACTIVITY_KERNEL ? add_kernel(object, activity)
                                              : add_transfer(object, activity));
}

static bool add_range(cJSON *list, const struct activity_range *range)
{
    cJSON *object = cJSON_CreateObject();
    return cJSON_AddItemToArray(list, object) &&
           cJSON_AddStringToObject(object, "name", range->name) &&
           add_known(object, "parent", range->parent, range->parent >= 0) &&
           cJSON_AddNumberToObject(object, "start_ns", range->start_ns) &&
           cJSON_AddNumberToObject(object, "end_ns", range->end_ns);
}

// The blocks of each SM, null with the reason where they are unavailable; and the most and the least, which
// may be known without.
static bool add_blocks(cJSON *object, const struct sm_blocks *blocks)
{
    bool known = blocks->provenance != UNAVAILABLE, listed = known && !*blocks->why;
    char provenance[FAILURE_SIZE + 32];
    snprintf(provenance, sizeof provenance, "%s%s%s",
             provenance_name(listed ? blocks->provenance : UNAVAILABLE), listed ? "" : ": ",
             blocks->why);
    cJSON *list = listed ? cJSON_CreateArray() : cJSON_CreateNull();
    bool good = cJSON_AddItemToObject(object, "blocks_per_sm", list) &&
                cJSON_AddStringToObject(object, "blocks_per_sm_provenance", provenance) &&
                add_known(object, "blocks_per_sm_max", (double)blocks->most, known) &&
                add_known(object, "blocks_per_sm_min", (double)blocks->least, known);
    for (int sm = 0; listed && good && sm < blocks->sms; sm++)
        good = cJSON_AddItemToArray(list, cJSON_CreateNumber((double)blocks->of_sm[sm]));
    return good;
}

static bool add_step(cJSON *steps, const struct traced_step *traced)
{
    const struct inspected *at = &traced->at;
    const struct activities *activities = &traced->activities;
    char name[STEP_NAME_SIZE];
    step_name(step_find(at->step), name);
    bool verified = at->outcome == VERIFIED;
    cJSON *object = cJSON_CreateObject();
    bool good =
        cJSON_AddItemToArray(steps, object) && cJSON_AddNumberToObject(object, "step", at->step) &&
        cJSON_AddStringToObject(object, "name", name) &&
        cJSON_AddNumberToObject(object, "n", (double)at->n) &&
        cJSON_AddBoolToObject(object, "verified", verified) &&
        cJSON_AddItemToObject(object, "error",
                              verified ? cJSON_CreateNull() : cJSON_CreateString(at->complaint)) &&
        cJSON_AddNumberToObject(object, "lost", (double)activities->lost) &&
        add_blocks(object, &traced->blocks);
    cJSON *ranges = cJSON_AddArrayToObject(object, "ranges");
    for (int i = 0; good && i < activities->range_count; i++)
        good = add_range(ranges, &activities->ranges[i]);
    cJSON *list = cJSON_AddArrayToObject(object, "activities");
    for (int i = 0; good && i < activities->count; i++)
        good = add_activity(list, activities, &activities->list[i]);
    return good && ranges && list;
}

char *json_of_trace(const struct trace *trace)
{
    cJSON *root = cJSON_CreateObject(), *device = cJSON_AddObjectToObject(root, "device");
    const char *untimed = trace_untimed(trace);
    bool good = cJSON_AddStringToObject(device, "kind",
                                        trace->all.device.simulated ? "simulated" : "gpu") &&
                cJSON_AddStringToObject(device, "name", trace->all.device.name) &&
                cJSON_AddNumberToObject(device, "sms", trace->all.device.sms) &&
                cJSON_AddNumberToObject(root, "n", (double)trace->all.n) &&
                cJSON_AddItemToObject(root, "untimed",
                                      untimed ? cJSON_CreateString(untimed) : cJSON_CreateNull());
    cJSON *steps = cJSON_AddArrayToObject(root, "steps");
    for (int i = 0; good && i < trace->all.count; i++)
        good = add_step(steps, &trace->steps[i]);
    char *text = good && steps ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
