// Reads a run's JSON with cJSON, and trusts nothing in it.
#include "files/run_read.h"

#include "base/compute_capability.h"
#include "base/untrusted_text.h"
#include "files/json_build.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHERE_SIZE = 48 };

// The first mistake counts; what is read after it is of no use.
struct reader {
    char *why;
    bool failed;
    char where[WHERE_SIZE]; // "steps[2]." for messages
};

__attribute__((format(printf, 3, 4))) static void fail(struct reader *reader, const char *key,
                                                       const char *format, ...)
{
    if (reader->failed)
        return;
    reader->failed = true;
    int used = snprintf(reader->why, RUN_WHY_SIZE, "%s%s: ", reader->where, key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->why + used, RUN_WHY_SIZE - (size_t)used, format, arguments);
    va_end(arguments);
}

// NULL when there is no such key, or when it is null.
static const cJSON *find(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNull(item) ? NULL : item;
}

static const cJSON *get_object(struct reader *reader, const cJSON *object, const char *key)
{
    const cJSON *item = find(object, key);
    if (!cJSON_IsObject(item))
        fail(reader, key, "an object is expected");
    return item;
}

// Copies the string, "" when there is none.
static void get_text(struct reader *reader, const cJSON *object, const char *key, char *text,
                     size_t size)
{
    const cJSON *item = find(object, key);
    if (item && !cJSON_IsString(item))
        fail(reader, key, "a string or null is expected");
    foreign_copy(text, size, cJSON_IsString(item) ? item->valuestring : "");
}

static void need_text(struct reader *reader, const cJSON *object, const char *key, char *text,
                      size_t size)
{
    get_text(reader, object, key, text, size);
    if (*text == '\0')
        fail(reader, key, "a string is expected");
}

// A number from `least` to `most`. Nothing that a run records is negative or infinite.
static double number_of(struct reader *reader, const cJSON *item, const char *key, double least,
                        double most)
{
    if (cJSON_IsNumber(item) && item->valuedouble >= least && item->valuedouble <= most)
        return item->valuedouble;
    fail(reader, key, "a number from %.7g to %.7g is expected", least, most);
    return least;
}

static size_t get_n(struct reader *reader, const cJSON *object)
{
    double n = number_of(reader, find(object, "n"), "n", 1, MAX_N);
    if (n != floor(n))
        fail(reader, "n", "a whole number is expected");
    return (size_t)n;
}

static enum provenance provenance_of(struct reader *reader, const char *key, const char *word)
{
    for (enum provenance i = COMPUTED; i < PROVENANCES; i++)
        if (strcmp(word, provenance_name(i)) == 0)
            return i;
    fail(reader, key, "its provenance is neither measured, counted, modelled nor computed");
    return MEASURED;
}

// A number or null, with its provenance. What the file does not have is unavailable.
static struct value get_value(struct reader *reader, const cJSON *object, const char *key,
                              const cJSON *provenances, const char *default_provenance)
{
    char word[WHY_SIZE];
    get_text(reader, provenances, key, word, sizeof word);
    const cJSON *item = find(object, key);
    if (item) {
        enum provenance provenance =
            provenance_of(reader, key, *word == '\0' ? default_provenance : word);
        return value_of(number_of(reader, item, key, 0, 1e18), provenance);
    }
    const char *reason = strncmp(word, "unavailable: ", 13) == 0 ? word + 13 : word;
    return value_unavailable("%s", *reason ? reason : "not in the file");
}

// Also those of a launch that could not be, as the kit records it: with an empty grid, say.
static bool get_dimensions(struct reader *reader, const cJSON *step, const char *key,
                           unsigned size[3])
{
    const cJSON *array = find(step, key);
    if (!array)
        return false;
    if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != 3)
        fail(reader, key, "three numbers or null are expected");
    for (int i = 0; !reader->failed && i < 3; i++)
        size[i] = (unsigned)number_of(reader, cJSON_GetArrayItem(array, i), key, 0, UINT_MAX);
    return !reader->failed;
}

static void get_values(struct reader *reader, const cJSON *json, struct step_result *step)
{
    const cJSON *metrics = get_object(reader, json, "metrics");
    const cJSON *counters = get_object(reader, json, "counters");
    const cJSON *provenances = get_object(reader, json, "provenance");
    for (enum metric i = 0; i < METRICS && !reader->failed; i++) {
        const cJSON *group = i < FIRST_METRIC ? json : i < FIRST_COUNT ? metrics : counters;
        // A compiled kernel's registers and shared memory are what they are: the compiler's word.
        const char *by_default = i == REGISTERS || i == SHARED_BYTES ? "measured" : "";
        step->values[i] = get_value(reader, group, metric_table[i].key, provenances, by_default);
    }
    struct value *theoretical = &step->values[THEORETICAL_OCCUPANCY];
    if (theoretical->provenance == MODELLED) // as older kits called it
        theoretical->provenance = COMPUTED;
}

// What the timing model says limits the kernel. A file without it has had no model.
static void get_limits(struct reader *reader, const cJSON *json, struct limits *limits)
{
    const cJSON *object = find(json, "limits");
    if (!object)
        return;
    char key[32];
    need_text(reader, object, "limiter", key, sizeof key);
    limits->limiter = limiter_find(key);
    if (limits->limiter == LIMITER_UNKNOWN)
        fail(reader, "limits.limiter", "it is none of the kit's");
    limits->busy_sms = number_of(reader, find(object, "busy_sms"), "limits.busy_sms", 0, 100);
    const cJSON *busy = get_object(reader, object, "busy");
    for (enum resource i = 0; i < RESOURCES && !reader->failed; i++) {
        const cJSON *share = find(busy, resources[i].key);
        if (share || !resources[i].is_later)
            limits->busy[i] = number_of(reader, share, resources[i].key, 0, 100);
    }
}

// How the launches spread; nothing where there were none that were timed one by one.
static void get_timing(struct reader *reader, const cJSON *parent, const char *key,
                       struct timing *timing)
{
    const cJSON *json = find(parent, key);
    if (!json)
        return;
    timing->launches = (int)number_of(reader, find(json, "launches"), key, 1, 1e6);
    timing->median_ms = number_of(reader, find(json, "median_ms"), key, 1e-9, 1e9);
    timing->min_ms = number_of(reader, find(json, "min_ms"), key, 1e-9, 1e9);
    timing->max_ms = number_of(reader, find(json, "max_ms"), key, timing->min_ms, 1e9);
    if (!find(json, "low_ms")) // an older kit's, or too few for an interval
        return;
    timing->low_ms = number_of(reader, find(json, "low_ms"), key, 1e-9, 1e9);
    timing->high_ms = number_of(reader, find(json, "high_ms"), key, timing->low_ms, 1e9);
}

static void get_step(struct reader *reader, const cJSON *json, struct step_result *step)
{
    if (!cJSON_IsObject(json))
        fail(reader, "", "an object is expected");
    step->number = number_of(reader, find(json, "step"), "step", 0.001, 1e6);
    need_text(reader, json, "title", step->title, sizeof step->title);
    step->n = get_n(reader, json);
    const cJSON *verified = find(json, "verified");
    if (verified && !cJSON_IsBool(verified))
        fail(reader, "verified", "true, false or null is expected");
    step->outcome = !verified ? NOT_KNOWN : cJSON_IsTrue(verified) ? VERIFIED : FAILED;
    get_text(reader, json, "error", step->complaint, sizeof step->complaint);
    bool grid = get_dimensions(reader, json, "grid", step->grid);
    bool block = get_dimensions(reader, json, "block", step->block);
    step->launched = grid && block;
    const cJSON *launches = find(json, "launches");
    step->launches = launches ? (unsigned)number_of(reader, launches, "launches", 0, 1e9) : 0;
    get_text(reader, json, "file_hash", step->file_hash, sizeof step->file_hash);
    get_timing(reader, json, "timing", &step->timing);
    get_values(reader, json, step);
    get_limits(reader, json, &step->limits);
}

static void get_steps(struct reader *reader, const cJSON *root, struct run *run)
{
    const cJSON *steps = find(root, "steps"), *json;
    if (!cJSON_IsArray(steps) || cJSON_GetArraySize(steps) > MAX_STEPS) {
        fail(reader, "steps", "an array of at most %d steps is expected", MAX_STEPS);
        return;
    }
    cJSON_ArrayForEach(json, steps)
    {
        struct step_result *step = &run->steps[run->count];
        snprintf(reader->where, sizeof reader->where, "steps[%d].", run->count);
        *step = (struct step_result){0};
        get_step(reader, json, step);
        if (run->device.simulated && value_known(&step->values[SHARED_BYTES]))
            step->values[SHARED_BYTES].provenance = COUNTED;
        theoretical_occupancy(&run->device, step);
        if (!reader->failed && run->count > 0 && step->number <= step[-1].number)
            fail(reader, "step", "steps must be in ascending order");
        if (reader->failed)
            return;
        run->count++;
    }
    *reader->where = '\0';
}

// The number under the key, from 0 to `most`; 0 where there is none.
static double number_if_known(struct reader *reader, const cJSON *json, const char *key,
                              double most)
{
    const cJSON *number = find(json, key);
    return number ? number_of(reader, number, key, 0, most) : 0;
}

static void get_device(struct reader *reader, const cJSON *json, struct device *device)
{
    char kind[16], cc[16];
    need_text(reader, json, "kind", kind, sizeof kind);
    device->simulated = strcmp(kind, "simulated") == 0;
    if (!device->simulated && strcmp(kind, "gpu") != 0)
        fail(reader, "device.kind", "gpu or simulated is expected");
    need_text(reader, json, "name", device->name, sizeof device->name);
    get_text(reader, json, "cc", cc, sizeof cc);
    if (*cc && sscanf(cc, "%4d.%4d", &device->cc_major, &device->cc_minor) != 2)
        fail(reader, "device.cc", "\"9.0\" or the like is expected");
    if (device->cc_major > 0)
        device->sm = compute_capability_nearest(device->cc_major, device->cc_minor)->sm;
    get_text(reader, json, "toolkit", device->toolkit, sizeof device->toolkit);
    get_text(reader, json, "driver", device->driver, sizeof device->driver);
    device->checks_accesses = cJSON_IsTrue(find(json, "checks_accesses"));
    device->sms = (int)number_if_known(reader, json, "sms", 1e6);
    device->dram_peak_gbs = number_if_known(reader, json, "dram_peak_gbs", 1e9);
    device->l2_bytes = (size_t)number_if_known(reader, json, "l2_bytes", 1e15);
}

// The roofs, which older kits did not measure.
static void get_roofs(struct reader *reader, const cJSON *root, struct run *run)
{
    const cJSON *all = find(root, "roofs");
    for (enum roof i = 0; i < ROOFS; i++) {
        const cJSON *json = find(all, roof_rows[i].key);
        struct roof_result *roof = &run->roofs[i];
        roof->gbs = json ? get_value(reader, json, "gbs", find(json, "provenance"), "measured")
                         : value_unavailable("not in the file");
        get_timing(reader, json, "timing", &roof->timing);
    }
}

static void get_run(struct reader *reader, const cJSON *root, struct run *run)
{
    need_text(reader, root, "kit", run->kit, sizeof run->kit);
    get_text(reader, root, "source", run->source, sizeof run->source);
    run->n = get_n(reader, root);
    get_device(reader, get_object(reader, root, "device"), &run->device);
    const cJSON *baselines = get_object(reader, root, "baselines");
    double copy_gbs = number_if_known(reader, baselines, "copy_gbs", 1e9);
    run->cpu.median_ms = number_if_known(reader, baselines, "cpu_ms", 1e9);
    run->copy.median_ms = bandwidth_gbs(run->n, copy_gbs);
    run->copy_gbs = copy_gbs > 0 ? value_of(copy_gbs, run->device.simulated ? MODELLED : MEASURED)
                                 : value_unavailable("the copy's bandwidth is not in the file");
    get_timing(reader, baselines, "copy_timing", &run->copy);
    get_roofs(reader, root, run);
    const cJSON *saved = find(root, "saved");
    if (saved)
        need_text(reader, saved, "time", run->saved_time, sizeof run->saved_time);
    get_steps(reader, root, run);
}

// Where in the text cJSON stopped, as editors count.
static void say_place(const char *text, const char *end, char why[RUN_WHY_SIZE])
{
    int line = 1;
    const char *start = text;
    for (const char *c = text; c < end; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    snprintf(why, RUN_WHY_SIZE, "it is no JSON, or it is cut off: see line %d, column %d", line,
             (int)(end - start) + 1);
}

bool run_parse(const char *text, struct run *run, char why[RUN_WHY_SIZE])
{
    const char *end = text;
    bool no_memory;
    cJSON *root = json_parse(text, &end, &no_memory);
    if (!root) {
        if (no_memory)
            snprintf(why, RUN_WHY_SIZE, "the host has no memory for it");
        else
            say_place(text, end, why);
        return false;
    }
    struct reader reader = {.why = why};
    memset(run, 0, offsetof(struct run, steps)); // the steps are many and large: as they come
    if (cJSON_IsObject(root))
        get_run(&reader, root, run);
    else
        fail(&reader, "it", "an object is expected");
    cJSON_Delete(root);
    return !reader.failed;
}
