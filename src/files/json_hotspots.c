#include "base/source_file.h"
#include "facts/hotspots.h"
#include "files/json.h"
#include "files/json_build.h"

static void add_access(cJSON *object, const struct hotspot_step *step,
                       const struct source_file *source, const struct line_access *access)
{
    const char *file = step->lines.files.names[access->file];
    json_add(object, "file", source_file_is(source, file) ? source->name : file);
    json_add(object, "line", access->line);
    json_add(object, "access", line_access_name(access->kind));
    json_add(object, "executions", access->executions);
    json_add(object, "unit", line_access_is_global(access->kind) ? "sectors" : "wavefronts");
    json_add(object, "passes", access->passes);
    json_add(object, "ideal", access->ideal);
}

static void add_counts(cJSON *object, const struct hotspot_step *step,
                       const struct source_file *source)
{
    struct hotspot_sum sum = hotspot_sum(&step->lines);
    json_add(object, "passes", sum.passes);
    json_add(object, "excess", sum.excess);
    json_add_bool(object, "complete", !step->lines.overflowed);
    json_add_if(object, "worst_line", sum.worst, sum.worst ? sum.worst->line : 0);
    cJSON *accesses = json_array(object, "accesses");
    for (int i = 0; i < step->lines.count; i++)
        add_access(json_object(accesses, NULL), step, source, &step->lines.accesses[i]);
}

static void add_step(cJSON *object, const struct hotspot_step *step)
{
    static const char *const states[] = {
        [SOURCE_AS_BUILT] = "as built", [SOURCE_EDITED] = "edited", [SOURCE_MISSING] = "missing"};
    struct source_file source = source_file_find(step_find(step->at.step)->file);
    bool verified = step->at.outcome == VERIFIED;
    json_add(object, "step", step->at.step);
    json_add(object, "file", source.name);
    json_add(object, "source", states[source.state]);
    json_add(object, "n", step->at.n);
    json_add(object, "verified", verified);
    json_add(object, "error", verified ? NULL : step->at.complaint);
    if (verified)
        add_counts(object, step, &source);
}

char *json_of_hotspots(const struct inspection *inspection)
{
    const struct hotspots *hotspots = (const struct hotspots *)inspection;
    cJSON *root = json_begin();
    json_add_device(json_object(root, "device"), &inspection->device);
    json_add(root, "n", inspection->n);
    json_add(root, "provenance", inspection->device.simulated ? "counted" : "measured");
    cJSON *steps = json_array(root, "steps");
    for (int i = 0; i < inspection->count; i++)
        add_step(json_object(steps, NULL), &hotspots->steps[i]);
    return json_print(root);
}
