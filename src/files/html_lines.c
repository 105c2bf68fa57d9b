// A step's source with what its lines moved and what warps waited for there, from what ./run hotspots and ./run stalls
// wrote as JSON.
#define _POSIX_C_SOURCE 200809L // getline
#include "base/source_file.h"
#include "facts/steps.h"
#include "files/html_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The step of that number among what a verb wrote; NULL where it has none.
static const cJSON *find_step(const cJSON *seen, int number)
{
    const cJSON *step;
    cJSON_ArrayForEach(step, json_get(seen, "steps"))
    {
        if (json_get_number(step, "step") == number)
            return step;
    }
    return NULL;
}

// Whether what was seen was on that line of the step's own file.
static bool is_at(const cJSON *seen, const char *file, unsigned line)
{
    return json_get_number(seen, "line") == line && strcmp(json_get_text(seen, "file"), file) == 0;
}

static void add_accesses(cJSON *object, const cJSON *step, const char *file, unsigned line)
{
    const cJSON *access;
    cJSON *notes = json_array(object, "accesses");
    cJSON_ArrayForEach(access, json_get(step, "accesses"))
    {
        if (!is_at(access, file, line))
            continue;
        cJSON *note = json_object(notes, NULL);
        double passes = json_get_number(access, "passes"), ideal = json_get_number(access, "ideal");
        json_add(note, "access", json_get_text(access, "access"));
        json_add(note, "unit", json_get_text(access, "unit"));
        json_add(note, "executions", json_get_number(access, "executions"));
        json_add(note, "passes", passes);
        json_add(note, "ideal", ideal);
        json_add_bool(note, "is_wasteful", passes > ideal);
    }
}

static double samples_of(const cJSON *seen)
{
    double all = 0;
    const cJSON *reason;
    cJSON_ArrayForEach(reason, json_get(seen, "samples"))
    {
        all += cJSON_IsNumber(reason) ? reason->valuedouble : 0;
    }
    return all;
}

// The lines because of which warps waited at one for that reason, most often first; of other files with their names.
static void add_causes(cJSON *note, const cJSON *seen, const char *reason)
{
    const cJSON *cause;
    cJSON *lines = json_array(note, "because");
    cJSON_ArrayForEach(cause, json_get(seen, "causes"))
    {
        if (strcmp(json_get_text(cause, "reason"), reason) != 0)
            continue;
        const char *file = json_get_text(cause, "file");
        cJSON *line = json_object(lines, NULL);
        json_add(line, "line", json_get_number(cause, "line"));
        json_add(line, "file", strcmp(file, json_get_text(seen, "file")) == 0 ? "" : file);
    }
}

static void add_stalls(cJSON *object, const cJSON *step, const char *file, unsigned line)
{
    const cJSON *seen, *reason;
    double all = samples_of(step);
    cJSON *notes = json_array(object, "stalls");
    cJSON_ArrayForEach(seen, json_get(step, "lines"))
    {
        if (!is_at(seen, file, line))
            continue;
        cJSON_ArrayForEach(reason, json_get(seen, "samples"))
        {
            cJSON *note = json_object(notes, NULL);
            json_add(note, "reason", reason->string);
            json_add(note, "samples", reason->valuedouble);
            html_add_place(note, "share", all > 0 ? 100 * reason->valuedouble / all : 0);
            add_causes(note, seen, reason->string);
        }
    }
}

static void add_source(cJSON *lines, const struct source_file *source, const cJSON *hotspots,
                       const cJSON *stalls)
{
    FILE *file = source->state == SOURCE_MISSING ? NULL : fopen(source->path, "r");
    char *text = NULL;
    size_t size = 0;
    for (unsigned i = 1; file && getline(&text, &size, file) >= 0; i++) {
        text[strcspn(text, "\r\n")] = '\0';
        cJSON *line = json_object(lines, NULL);
        json_add(line, "number", i);
        json_add(line, "code", text);
        json_add_bool(line, "is_worst", json_get_number(hotspots, "worst_line") == i);
        add_accesses(line, hotspots, source->name, i);
        add_stalls(line, stalls, source->name, i);
    }
    free(text);
    if (file)
        fclose(file);
}

static void add_seen(cJSON *object, const char *key, const cJSON *seen)
{
    if (!seen)
        return;
    cJSON *device = json_object(object, key);
    json_add(device, "device", json_get_text(json_get(seen, "device"), "name"));
    json_add(device, "n", json_get_number(seen, "n"));
    json_add(device, "provenance", json_get_text(seen, "provenance"));
}

void html_add_lines(cJSON *object, int number, const cJSON *hotspots, const cJSON *stalls)
{
    const struct step *step = step_find(number);
    const cJSON *counted = find_step(hotspots, number), *sampled = find_step(stalls, number);
    if (!step || (!counted && !sampled))
        return;
    struct source_file source = source_file_find(step->file);
    cJSON *page = json_object(object, "source");
    json_add(page, "file", source.name);
    json_add_bool(page, "is_edited", source.state == SOURCE_EDITED);
    json_add(page, "lacks", source.state == SOURCE_MISSING ? source.lacks : "");
    add_seen(page, "counted", counted ? hotspots : NULL);
    add_seen(page, "sampled", sampled ? stalls : NULL);
    add_source(json_array(page, "lines"), &source, counted, sampled);
}
