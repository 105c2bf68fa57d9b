#include "base/source_file.h"
#include "facts/stalls.h"
#include "files/json.h"
#include "files/json_build.h"

// Of one line, or of all (NULL).
static void add_reasons(cJSON *object, const struct stall_line *line,
                        const struct stall_samples *samples)
{
    cJSON *reasons = json_object(object, "samples");
    for (enum stall_reason i = 0; i < STALL_REASONS; i++) {
        uint64_t count = line ? line->samples[i] : stall_samples_of(samples, i);
        if (count > 0)
            json_add(reasons, stall_reasons[i].key, count);
    }
}

static void add_place(cJSON *object, const struct stall_samples *samples, int file, unsigned line,
                      const struct source_file *source)
{
    const char *name = samples->files.names[file];
    json_add(object, "file", source_file_is(source, name) ? source->name : name);
    json_add(object, "line", line);
}

static void add_causes(cJSON *object, const struct stall_line *line,
                       const struct stall_samples *samples, const struct source_file *source)
{
    cJSON *causes = json_array(object, "causes");
    int first, count = stall_line_causes(samples, line, &first);
    for (int i = first; i < first + count; i++) {
        const struct stall_cause *cause = &samples->causes[i];
        cJSON *added = json_object(causes, NULL);
        json_add(added, "reason", stall_reasons[cause->reason].key);
        add_place(added, samples, cause->cause_file, cause->cause_line, source);
        json_add(added, "samples", cause->samples);
    }
}

static void add_samples(cJSON *object, const struct stall_samples *samples,
                        const struct source_file *source)
{
    json_add(object, "launches", samples->launches);
    json_add(object, "period_cycles", samples->period);
    json_add(object, "dropped", samples->dropped);
    json_add_bool(object, "complete", !samples->overflowed);
    add_reasons(object, NULL, samples);
    cJSON *lines = json_array(object, "lines");
    for (int i = 0; i < samples->count; i++) {
        const struct stall_line *line = &samples->lines[i];
        cJSON *at = json_object(lines, NULL);
        add_place(at, samples, line->file, line->line, source);
        add_reasons(at, line, samples);
        add_causes(at, line, samples, source);
    }
}

static void add_step(cJSON *object, const struct stalls_step *step)
{
    const struct inspected *at = &step->at;
    struct source_file source = source_file_find(step_find(at->step)->file);
    bool verified = at->outcome == VERIFIED;
    json_add(object, "step", at->step);
    json_add(object, "file", source.name);
    json_add(object, "n", at->n);
    json_add(object, "verified", verified);
    json_add(object, "error", verified ? NULL : at->complaint);
    if (verified)
        add_samples(object, &step->samples, &source);
}

char *json_of_stalls(const struct inspection *inspection)
{
    const struct stalls *stalls = (const struct stalls *)inspection;
    cJSON *root = json_begin();
    json_add_device(json_object(root, "device"), &inspection->device);
    json_add(root, "n", inspection->n);
    json_add(root, "provenance", inspection->device.simulated ? "modelled" : "measured");
    cJSON *steps = json_array(root, "steps");
    for (int i = 0; i < inspection->count; i++)
        add_step(json_object(steps, NULL), &stalls->steps[i]);
    return json_print(root);
}
