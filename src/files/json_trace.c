#include "facts/trace.h"
#include "files/json.h"
#include "files/json_build.h"

static void add_kernel(cJSON *object, const struct activity *activity)
{
    json_add(object, "grid", activity->grid);
    json_add(object, "block", activity->block);
    json_add(object, "registers", activity->registers);
    json_add(object, "registers_estimated", activity->registers_estimated);
    json_add(object, "static_shared_bytes", activity->static_shared);
    json_add(object, "dynamic_shared_bytes", activity->dynamic_shared);
}

static void add_transfer(cJSON *object, const struct activity *activity)
{
    json_add(object, "bytes", activity->bytes);
    json_add_known(object, "throughput_gbs", activity_gbs(activity));
    if (activity->kind != ACTIVITY_FILL)
        json_add(object, "direction", copy_direction_name(activity->direction));
}

static void add_activity(cJSON *object, const struct activities *activities,
                         const struct activity *activity)
{
    static const char *const kinds[] = {
        [ACTIVITY_KERNEL] = "kernel", [ACTIVITY_COPY] = "memcpy", [ACTIVITY_FILL] = "memset"};
    char name[FUNCTION_NAME_SIZE];
    activity_name(activities, activity, name);
    bool timed = activity->timed != UNAVAILABLE;
    json_add(object, "kind", kinds[activity->kind]);
    json_add(object, "name", name);
    json_add_if(object, "range", activity->range >= 0, activity->range);
    json_add(object, "stream", activity->stream);
    json_add_if(object, "start_ns", timed, activity->start_ns);
    json_add_if(object, "duration_ns", timed, activity->duration_ns);
    json_add(object, "provenance", provenance_name(activity->timed));
    if (activity->kind == ACTIVITY_KERNEL)
        add_kernel(object, activity);
    else
        add_transfer(object, activity);
}

static void add_range(cJSON *object, const struct activity_range *range)
{
    json_add(object, "name", range->name);
    json_add_if(object, "parent", range->parent >= 0, range->parent);
    json_add(object, "start_ns", range->start_ns);
    json_add(object, "end_ns", range->end_ns);
}

// The blocks of each SM, null with the reason where they are unavailable; and the most and the least, which
// may be known without.
static void add_blocks(cJSON *object, const struct sm_blocks *blocks)
{
    bool known = blocks->provenance != UNAVAILABLE, listed = known && !*blocks->why;
    cJSON *list = NULL;
    if (listed)
        list = json_array(object, "blocks_per_sm");
    else
        json_add_text(object, "blocks_per_sm", NULL);
    json_add_provenance(object, "blocks_per_sm_provenance",
                        listed ? blocks->provenance : UNAVAILABLE, blocks->why);
    json_add_if(object, "blocks_per_sm_max", known, (double)blocks->most);
    json_add_if(object, "blocks_per_sm_min", known, (double)blocks->least);
    for (int sm = 0; listed && sm < blocks->sms; sm++)
        json_add(list, NULL, blocks->of_sm[sm]);
}

static void add_step(cJSON *object, const struct traced_step *traced)
{
    const struct inspected *at = &traced->at;
    const struct activities *activities = &traced->activities;
    char name[STEP_NAME_SIZE];
    step_name(step_find(at->step)->file, name);
    bool verified = at->outcome == VERIFIED;
    json_add(object, "step", at->step);
    json_add(object, "name", name);
    json_add(object, "n", at->n);
    json_add(object, "verified", verified);
    json_add(object, "error", verified ? NULL : at->complaint);
    json_add(object, "lost", activities->lost);
    add_blocks(object, &traced->blocks);
    cJSON *ranges = json_array(object, "ranges");
    for (int i = 0; i < activities->range_count; i++)
        add_range(json_object(ranges, NULL), &activities->ranges[i]);
    cJSON *list = json_array(object, "activities");
    for (int i = 0; i < activities->count; i++)
        add_activity(json_object(list, NULL), activities, &activities->list[i]);
}

char *json_of_trace(const struct trace *trace)
{
    cJSON *root = json_begin(), *device = json_object(root, "device");
    json_add_device(device, &trace->all.device);
    json_add(device, "sms", trace->all.device.sms);
    json_add(root, "n", trace->all.n);
    json_add(root, "untimed", trace_untimed(trace));
    cJSON *steps = json_array(root, "steps");
    for (int i = 0; i < trace->all.count; i++)
        add_step(json_object(steps, NULL), &trace->steps[i]);
    return json_print(root);
}
