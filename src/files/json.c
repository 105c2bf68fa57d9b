#include "files/json.h"

#include "advice/standing.h"
#include "files/json_advice.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

// cJSON returns NULL when memory runs out, and refuses to add to NULL or to add NULL: one flag
// collects it all.
struct json {
    bool failed;
};

static cJSON *add_object(struct json *json, cJSON *parent, const char *key)
{
    cJSON *object = cJSON_AddObjectToObject(parent, key);
    json->failed |= !object;
    return object;
}

static cJSON *add_array(struct json *json, cJSON *parent, const char *key)
{
    cJSON *array = cJSON_AddArrayToObject(parent, key);
    json->failed |= !array;
    return array;
}

static void add_number(struct json *json, cJSON *parent, const char *key, double number)
{
    json->failed |= !cJSON_AddNumberToObject(parent, key, number);
}

static void add_string(struct json *json, cJSON *parent, const char *key, const char *string)
{
    json->failed |= !cJSON_AddStringToObject(parent, key, string);
}

static void add_null(struct json *json, cJSON *parent, const char *key)
{
    json->failed |= !cJSON_AddNullToObject(parent, key);
}

// A number, or null for 0, where 0 stands for "not known".
static void add_known(struct json *json, cJSON *parent, const char *key, double number)
{
    if (number > 0)
        add_number(json, parent, key, number);
    else
        add_null(json, parent, key);
}

// A string, or null for "", where "" stands for "not known".
static void add_text(struct json *json, cJSON *parent, const char *key, const char *text)
{
    if (*text != '\0')
        add_string(json, parent, key, text);
    else
        add_null(json, parent, key);
}

static void add_value(struct json *json, cJSON *parent, const char *key, const struct value *value,
                      cJSON *provenance)
{
    if (value_known(value)) {
        add_number(json, parent, key, value->number);
        add_string(json, provenance, key, provenance_name(value->provenance));
        return;
    }
    char reason[WHY_SIZE + 32];
    snprintf(reason, sizeof reason, "%s: %s", provenance_name(UNAVAILABLE), value->why);
    add_null(json, parent, key);
    add_string(json, provenance, key, reason);
}

static void add_dimensions(struct json *json, cJSON *parent, const char *key,
                           const unsigned size[3])
{
    cJSON *array = add_array(json, parent, key);
    for (int i = 0; i < 3; i++)
        json->failed |= !cJSON_AddItemToArray(array, cJSON_CreateNumber(size[i]));
}

static void add_device(struct json *json, cJSON *root, const struct device *device)
{
    char cc[24];
    snprintf(cc, sizeof cc, "%d.%d", device->cc_major, device->cc_minor);
    cJSON *object = add_object(json, root, "device");
    add_string(json, object, "kind", device->simulated ? "simulated" : "gpu");
    add_string(json, object, "name", device->name);
    add_string(json, object, "cc", cc);
    add_number(json, object, "sms", device->sms);
    add_known(json, object, "dram_peak_gbs", device->dram_peak_gbs);
    add_number(json, object, "l2_bytes", (double)device->l2_bytes);
    add_text(json, object, "toolkit", device->toolkit);
    add_text(json, object, "driver", device->driver);
    json->failed |= !cJSON_AddBoolToObject(object, "checks_accesses", device->checks_accesses);
}

static void add_spread(struct json *json, cJSON *parent, const char *key,
                       const struct timing *timing)
{
    if (timing->launches == 0) {
        add_null(json, parent, key);
        return;
    }
    cJSON *object = add_object(json, parent, key);
    add_number(json, object, "launches", timing->launches);
    add_number(json, object, "median_ms", timing->median_ms);
    add_number(json, object, "min_ms", timing->min_ms);
    add_number(json, object, "max_ms", timing->max_ms);
}

static void add_baselines(struct json *json, cJSON *root, const struct run *run)
{
    cJSON *object = add_object(json, root, "baselines");
    cJSON *provenance = cJSON_CreateObject();
    add_known(json, object, "cpu_ms", run->cpu.median_ms);
    add_string(json, provenance, "cpu_ms", provenance_name(MEASURED));
    add_value(json, object, "copy_gbs", &run->copy_gbs, provenance);
    add_spread(json, object, "cpu_timing", &run->cpu);
    add_spread(json, object, "copy_timing", &run->copy);
    json->failed |= !cJSON_AddItemToObject(object, "provenance", provenance);
}

static void add_launch(struct json *json, cJSON *step, const struct step_result *result)
{
    const struct value *registers = &result->values[REGISTERS];
    if (!result->launched) {
        add_null(json, step, "grid");
        add_null(json, step, "block");
        add_null(json, step, "registers");
        add_null(json, step, "shared_bytes");
        add_null(json, step, "launches");
        return;
    }
    add_number(json, step, "launches", result->launches);
    add_dimensions(json, step, "grid", result->grid);
    add_dimensions(json, step, "block", result->block);
    add_known(json, step, "registers", registers->number);
    if (registers->number > 0) // else nothing is known of the kernel
        add_number(json, step, "shared_bytes", result->values[SHARED_BYTES].number);
    else
        add_null(json, step, "shared_bytes");
}

// What the timing model says limits the kernel; null where there is no model.
static void add_limits(struct json *json, cJSON *step, const struct limits *limits)
{
    if (limits->limiter == LIMITER_UNKNOWN) {
        add_null(json, step, "limits");
        return;
    }
    cJSON *object = add_object(json, step, "limits");
    add_string(json, object, "limiter", limiter_key(limits->limiter));
    add_number(json, object, "busy_sms", limits->busy_sms);
    cJSON *busy = add_object(json, object, "busy");
    for (int i = 0; i < RESOURCES; i++)
        add_number(json, busy, resource_key(i), limits->busy[i]);
    add_string(json, object, "provenance", provenance_name(MODELLED));
}

static void add_counted(struct json *json, cJSON *step, const struct run *run,
                        const struct step_result *result, cJSON *provenance)
{
    cJSON *metrics = add_object(json, step, "metrics");
    for (enum quantity i = FIRST_METRIC; i < FIRST_COUNT; i++)
        add_value(json, metrics, quantities[i].key, &result->values[i], provenance);
    cJSON *counters = add_object(json, step, "counters");
    for (enum quantity i = FIRST_COUNT; i < QUANTITIES; i++)
        add_value(json, counters, quantities[i].key, &result->values[i], provenance);
    cJSON *extras = add_object(json, step, "extra_metrics");
    cJSON *extra_provenance = add_object(json, step, "extra_provenance");
    for (int i = 0; i < run->extra_count; i++)
        add_value(json, extras, run->extra_names[i], &result->extras[i], extra_provenance);
}

static void fill_step(struct json *json, cJSON *object, const struct run *run,
                      const struct step_result *result)
{
    const struct step *step = step_of(result);
    char name[STEP_NAME_SIZE];
    step_name(step, name);

    cJSON *provenance = cJSON_CreateObject();
    json->failed |= !provenance;
    add_number(json, object, "step", step->number);
    add_string(json, object, "name", name);
    add_string(json, object, "stage", stage_name(step->stage));
    add_string(json, object, "title", step->title);
    add_number(json, object, "n", (double)result->n);
    json->failed |= !cJSON_AddBoolToObject(object, "verified", result->outcome == VERIFIED);
    if (result->outcome == VERIFIED)
        add_null(json, object, "error");
    else
        add_string(json, object, "error", result->complaint);
    if (*run->saved_time && !result->reference)
        add_text(json, object, "file_hash", result->file_hash);
    add_launch(json, object, result);
    if (result->launched && result->values[REGISTERS].number > 0)
        add_string(json, provenance, "registers",
                   provenance_name(result->values[REGISTERS].provenance));
    add_value(json, object, "time_ms", &result->values[TIME_MS], provenance);
    add_value(json, object, "bandwidth_gbs", &result->values[BANDWIDTH_GBS], provenance);
    add_spread(json, object, "timing", &result->timing);
    add_counted(json, object, run, result, provenance);
    add_limits(json, object, &result->limits);
    struct findings findings = findings_of(run, result);
    json->failed |= !json_add_advice(object, result->outcome == VERIFIED ? &findings : NULL);
    json->failed |= !cJSON_AddItemToObject(object, "provenance", provenance);
}

static void add_step(struct json *json, cJSON *steps, const struct run *run, int place)
{
    cJSON *object = cJSON_CreateObject();
    json->failed |= !object || !cJSON_AddItemToArray(steps, object);
    fill_step(json, object, run, &run->steps[place]);
}

static void add_known_value(struct json *json, cJSON *parent, const char *key,
                            const struct value *value)
{
    if (value_known(value))
        add_number(json, parent, key, value->number);
    else
        add_null(json, parent, key);
}

// Whether a goal is reached: null when nobody can tell.
static void add_judgement(struct json *json, cJSON *parent, enum judgement judgement)
{
    json->failed |=
        !(judgement == NOT_JUDGED ? cJSON_AddNullToObject(parent, "reached")
                                  : cJSON_AddBoolToObject(parent, "reached", judgement == REACHED));
}

static void add_goal(struct json *json, cJSON *goals, const struct aim *aim)
{
    cJSON *object = cJSON_CreateObject();
    json->failed |= !object || !cJSON_AddItemToArray(goals, object);
    add_string(json, object, "metric", quantities[aim->quantity].key);
    add_string(json, object, "bound", aim->bound == AT_LEAST ? "at_least" : "at_most");
    if (aim->quantity == BANDWIDTH_GBS && !value_known(&aim->reference))
        add_null(json, object, "value");
    else
        add_number(json, object, "value", aim->value);
    add_known_value(json, object, "yours", &aim->yours);
    add_known_value(json, object, "reference", &aim->reference);
    add_judgement(json, object, aim->judgement);
}

static void add_exercise(struct json *json, cJSON *exercises, const struct run *run,
                         const struct standing *standing)
{
    const struct step *step = step_of(&run->steps[standing->place]);
    cJSON *object = cJSON_CreateObject();
    json->failed |= !object || !cJSON_AddItemToArray(exercises, object);
    add_number(json, object, "step", step->number);
    add_string(json, object, "file", step->file);
    add_judgement(json, object, standing->judgement);
    cJSON *goals = add_array(json, object, "goals");
    for (int i = 0; i < standing->count; i++)
        add_goal(json, goals, &standing->aims[i]);
    if (standing->reference)
        fill_step(json, add_object(json, object, "reference"), run, standing->reference);
    else
        add_null(json, object, "reference");
}

// Only a run of exercises has the key.
static void add_exercises(struct json *json, cJSON *root, const struct run *run)
{
    cJSON *exercises = NULL;
    for (int i = 0; i < run->count; i++) {
        struct standing standing;
        if (!standing_of(run, i, &standing))
            continue;
        if (!exercises)
            exercises = add_array(json, root, "exercises");
        add_exercise(json, exercises, run, &standing);
    }
}

char *json_of_run(const struct run *run)
{
    struct json json = {.failed = false};
    cJSON *root = cJSON_CreateObject();
    add_string(&json, root, "kit", run->kit);
    if (*run->saved_time) {
        cJSON *object = add_object(&json, root, "saved");
        add_string(&json, object, "name", run->label);
        add_string(&json, object, "time", run->saved_time);
    }
    add_device(&json, root, &run->device);
    add_number(&json, root, "n", (double)run->n);
    add_baselines(&json, root, run);
    cJSON *steps = add_array(&json, root, "steps");
    for (int i = 0; i < run->count; i++)
        add_step(&json, steps, run, i);
    add_exercises(&json, root, run);
    char *text = json.failed ? NULL : cJSON_Print(root);
    cJSON_Delete(root);
    return text;
}
