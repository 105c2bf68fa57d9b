#include "files/json.h"

#include "advice/exercise_goals.h"
#include "base/output_file.h"
#include "files/json_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_device(cJSON *root, const struct device *device)
{
    char cc[24];
    snprintf(cc, sizeof cc, "%d.%d", device->cc_major, device->cc_minor);
    cJSON *object = json_object(root, "device");
    json_add_device(object, device);
    json_add(object, "cc", cc);
    json_add(object, "sms", device->sms);
    json_add_known(object, "dram_peak_gbs", device->dram_peak_gbs);
    json_add(object, "l2_bytes", device->l2_bytes);
    json_add_known_text(object, "toolkit", device->toolkit);
    json_add_known_text(object, "driver", device->driver);
    json_add(object, "checks_accesses", device->checks_accesses);
}

// Null where nothing but perhaps the median is known.
static void add_spread(cJSON *parent, const char *key, const struct timing *timing)
{
    if (timing->launches == 0) {
        json_add_text(parent, key, NULL);
        return;
    }
    cJSON *object = json_object(parent, key);
    json_add(object, "launches", timing->launches);
    json_add(object, "median_ms", timing->median_ms);
    json_add(object, "min_ms", timing->min_ms);
    json_add(object, "max_ms", timing->max_ms);
    json_add_known(object, "low_ms", timing->low_ms);
    json_add_known(object, "high_ms", timing->high_ms);
}

static void add_baselines(cJSON *root, const struct run *run)
{
    cJSON *object = json_object(root, "baselines"), *provenance = cJSON_CreateObject();
    json_add_known(object, "cpu_ms", run->cpu.median_ms);
    json_add(provenance, "cpu_ms", provenance_name(MEASURED));
    json_add_both(object, "copy_gbs", &run->copy_gbs, provenance);
    add_spread(object, "cpu_timing", &run->cpu);
    add_spread(object, "copy_timing", &run->copy);
    cJSON_AddItemToObject(object, "provenance", provenance);
}

static void add_roof(cJSON *roofs, const char *key, const struct value *gbs,
                     const struct timing *timing)
{
    cJSON *object = json_object(roofs, key), *provenance = cJSON_CreateObject();
    json_add_both(object, "gbs", gbs, provenance);
    add_spread(object, "timing", timing);
    cJSON_AddItemToObject(object, "provenance", provenance);
}

static void add_roofs(cJSON *root, const struct run *run)
{
    cJSON *object = json_object(root, "roofs");
    add_roof(object, "device_copy", &run->copy_gbs, &run->copy);
    for (enum roof i = 0; i < ROOFS; i++)
        add_roof(object, roof_rows[i].key, &run->roofs[i].gbs, &run->roofs[i].timing);
}

static void add_launch(cJSON *step, const struct step_result *result)
{
    static const char *const keys[] = {"grid", "block", "registers", "shared_bytes", "launches"};
    const struct value *registers = &result->values[REGISTERS];
    for (int i = 0; !result->launched && i < 5; i++)
        json_add_text(step, keys[i], NULL);
    if (!result->launched)
        return;
    json_add(step, "launches", result->launches);
    json_add(step, "grid", result->grid);
    json_add(step, "block", result->block);
    json_add_known(step, "registers", registers->number);
    // Without registers nothing is known of the kernel.
    json_add_if(step, "shared_bytes", registers->number > 0, result->values[SHARED_BYTES].number);
}

// What the timing model says limits the kernel; null where there is no model.
static void add_limits(cJSON *step, const struct limits *limits)
{
    if (limits->limiter == LIMITER_UNKNOWN) {
        json_add_text(step, "limits", NULL);
        return;
    }
    cJSON *object = json_object(step, "limits");
    json_add(object, "limiter", limiters[limits->limiter].key);
    json_add(object, "busy_sms", limits->busy_sms);
    cJSON *busy = json_object(object, "busy");
    for (enum resource i = 0; i < RESOURCES; i++)
        json_add(busy, resources[i].key, limits->busy[i]);
    json_add(object, "provenance", provenance_name(MODELLED));
}

static void add_counted(cJSON *step, const struct run *run, const struct step_result *result,
                        cJSON *provenance)
{
    cJSON *group = json_object(step, "metrics");
    for (enum metric i = FIRST_METRIC; i < METRICS; i++) {
        if (i == FIRST_COUNT)
            group = json_object(step, "counters");
        json_add_both(group, metric_table[i].key, &result->values[i], provenance);
    }
    cJSON *extras = json_object(step, "extra_metrics");
    cJSON *extra_provenance = json_object(step, "extra_provenance");
    for (int i = 0; i < run->extra_count; i++)
        json_add_both(extras, run->extra_names[i], &result->extras[i], extra_provenance);
}

static void fill_step(cJSON *object, const struct run *run, const struct step_result *result)
{
    const struct step *step = step_of(result); // of an imported kernel NULL
    bool verified = result->outcome == VERIFIED, is_known = result->outcome != NOT_KNOWN;
    char name[STEP_NAME_SIZE] = "";
    if (step)
        step_name(step->file, name);

    cJSON *provenance = cJSON_CreateObject();
    json_add(object, "step", result->number);
    json_add(object, "name", step ? name : result->title);
    json_add(object, "stage", step ? stage_name(step->stage) : "");
    json_add(object, "title", result->title);
    json_add(object, "n", result->n);
    if (is_known)
        json_add(object, "verified", verified);
    else
        json_add_text(object, "verified", NULL);
    json_add(object, "error", verified || !is_known ? NULL : result->complaint);
    if (*run->saved_time && !result->reference)
        json_add_known_text(object, "file_hash", result->file_hash);
    add_launch(object, result);
    if (result->launched && result->values[REGISTERS].number > 0)
        json_add(provenance, "registers", provenance_name(result->values[REGISTERS].provenance));
    json_add_both(object, "time_ms", &result->values[TIME_MS], provenance);
    json_add_both(object, "bandwidth_gbs", &result->values[BANDWIDTH_GBS], provenance);
    add_spread(object, "timing", &result->timing);
    add_counted(object, run, result, provenance);
    add_limits(object, &result->limits);
    json_add_advice(object, run, verified ? result : NULL);
    cJSON_AddItemToObject(object, "provenance", provenance);
}

// Whether a goal is reached: null when nobody can tell.
static void add_judgement(cJSON *object, enum judgement judgement)
{
    if (judgement == NOT_JUDGED)
        json_add_text(object, "reached", NULL);
    else
        json_add_bool(object, "reached", judgement == REACHED);
}

static void add_exercise(cJSON *exercises, const struct run *run,
                         const struct exercise_result *exercise)
{
    const struct step *step = step_of(&run->steps[exercise->place]);
    cJSON *object = json_object(exercises, NULL);
    json_add(object, "step", step->number);
    json_add(object, "file", step->file);
    add_judgement(object, exercise->judgement);
    cJSON *goals = json_array(object, "goals");
    for (int i = 0; i < exercise->count; i++) {
        const struct aim *aim = &exercise->aims[i];
        cJSON *goal = json_object(goals, NULL);
        json_add(goal, "metric", metric_table[aim->metric].key);
        json_add(goal, "bound", aim->bound == AT_LEAST ? "at_least" : "at_most");
        json_add_if(goal, "value", aim->metric != BANDWIDTH_GBS || value_known(&aim->reference),
                    aim->value);
        json_add(goal, "yours", &aim->yours);
        json_add(goal, "reference", &aim->reference);
        add_judgement(goal, aim->judgement);
    }
    if (exercise->reference)
        fill_step(json_object(object, "reference"), run, exercise->reference);
    else
        json_add_text(object, "reference", NULL);
}

// Only a run of exercises has the key.
static void add_exercises(cJSON *root, const struct run *run)
{
    cJSON *exercises = NULL;
    for (int i = 0; i < run->count; i++) {
        struct exercise_result exercise;
        if (!judge_exercise(run, i, &exercise))
            continue;
        if (!exercises)
            exercises = json_array(root, "exercises");
        add_exercise(exercises, run, &exercise);
    }
}

char *json_of_run(const struct run *run)
{
    cJSON *root = json_begin();
    json_add(root, "kit", run->kit);
    if (*run->saved_time) {
        cJSON *object = json_object(root, "saved");
        json_add(object, "name", run->label);
        json_add(object, "time", run->saved_time);
    }
    if (*run->source)
        json_add(root, "source", run->source);
    add_device(root, &run->device);
    json_add(root, "n", run->n);
    add_baselines(root, run);
    add_roofs(root, run);
    cJSON *steps = json_array(root, "steps");
    for (int i = 0; i < run->count; i++)
        fill_step(json_object(steps, NULL), run, &run->steps[i]);
    add_exercises(root, run);
    return json_print(root);
}

bool json_finish(const char *file, char *text)
{
    if (!text)
        fprintf(stderr, "apodkit: the host has no memory for the JSON\n");
    bool written = text && output_write(JSON_WRITING, file, text, strlen(text));
    free(text);
    return written;
}
