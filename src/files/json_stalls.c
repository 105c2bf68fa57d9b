#include "show/stalls_page.h"

#include <cjson/cJSON.h>

// Every function is false when memory ran out: adding NULL is refused. Numbers are exact up to 2^53.
static bool add_reasons(cJSON *object, const struct stall_line *line,
                        const struct stall_samples *samples)
{
    cJSON *reasons = cJSON_AddObjectToObject(object, "samples");
    bool good = reasons;
    for (int i = 0; good && i < STALL_REASONS; i++) {
        enum stall_reason reason = (enum stall_reason)i;
        uint64_t count = line ? line->samples[i] : stall_samples_of(samples, reason);
        good =
            count == 0 || cJSON_AddNumberToObject(reasons, stall_reason_key(reason), (double)count);
    }
    return good;
}

static bool add_line(cJSON *lines, const struct stall_samples *samples,
                     const struct source_file *source, const struct stall_line *line)
{
    const char *file = samples->files.names[line->file];
    cJSON *object = cJSON_CreateObject();
    return cJSON_AddItemToArray(lines, object) &&
           cJSON_AddStringToObject(object, "file",
                                   source_file_is(source, file) ? source->name : file) &&
           cJSON_AddNumberToObject(object, "line", line->line) &&
           add_reasons(object, line, samples);
}

static bool add_samples(cJSON *object, const struct stall_samples *samples,
                        const struct source_file *source)
{
    if (!cJSON_AddNumberToObject(object, "launches", samples->launches) ||
        !cJSON_AddNumberToObject(object, "period_cycles", (double)samples->period) ||
        !cJSON_AddNumberToObject(object, "dropped", (double)samples->dropped) ||
        !cJSON_AddBoolToObject(object, "complete", !samples->overflowed) ||
        !add_reasons(object, NULL, samples))
        return false;
    cJSON *lines = cJSON_AddArrayToObject(object, "lines");
    bool good = lines;
    for (int i = 0; good && i < samples->count; i++)
        good = add_line(lines, samples, source, &samples->lines[i]);
    return good;
}

static bool add_step(cJSON *steps, const struct stalls_step *step)
{
    const struct inspected *at = &step->at;
    struct source_file source = source_file_find(step_find(at->step)->file);
    cJSON *object = cJSON_CreateObject();
    bool verified = at->outcome == VERIFIED;
    return cJSON_AddItemToArray(steps, object) &&
           cJSON_AddNumberToObject(object, "step", at->step) &&
           cJSON_AddStringToObject(object, "file", source.name) &&
           cJSON_AddNumberToObject(object, "n", (double)at->n) &&
           cJSON_AddBoolToObject(object, "verified", verified) &&
           cJSON_AddItemToObject(object, "error",
                                 verified ? cJSON_CreateNull()
                                          : cJSON_CreateString(at->complaint)) &&
           (!verified || add_samples(object, &step->samples, &source));
}

char *json_of_stalls(const struct inspection *inspection)
{
    const struct stalls *stalls = (const struct stalls *)inspection;
    cJSON *root = cJSON_CreateObject(), *device = cJSON_AddObjectToObject(root, "device");
    bool good = cJSON_AddStringToObject(device, "kind",
                                        inspection->device.simulated ? "simulated" : "gpu") &&
                cJSON_AddStringToObject(device, "name", inspection->device.name) &&
                cJSON_AddNumberToObject(root, "n", (double)inspection->n) &&
                cJSON_AddStringToObject(root, "provenance", "measured");
    cJSON *steps = cJSON_AddArrayToObject(root, "steps");
    for (int i = 0; good && i < inspection->count; i++)
        good = add_step(steps, &stalls->steps[i]);
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
