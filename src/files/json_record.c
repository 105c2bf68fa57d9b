// Reads a run's JSON with cJSON, and trusts nothing in it.
#include "facts/record.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
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
    int used = snprintf(reader->why, RECORD_WHY_SIZE, "%s%s: ", reader->where, key);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->why + used, RECORD_WHY_SIZE - (size_t)used, format, arguments);
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

// Copies the string, "" when there is none. Control characters could do harm on a terminal.
static void get_text(struct reader *reader, const cJSON *object, const char *key, char *text,
                     size_t size)
{
    const cJSON *item = find(object, key);
    if (item && !cJSON_IsString(item))
        fail(reader, key, "a string or null is expected");
    snprintf(text, size, "%s", cJSON_IsString(item) ? item->valuestring : "");
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = ' ';
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
    for (enum provenance i = MEASURED; i <= MODELLED; i++)
        if (strcmp(word, provenance_name(i)) == 0)
            return i;
    fail(reader, key, "its provenance is neither measured, counted nor modelled");
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

static void get_values(struct reader *reader, const cJSON *json, struct record_step *step)
{
    const cJSON *metrics = get_object(reader, json, "metrics");
    const cJSON *counters = get_object(reader, json, "counters");
    const cJSON *provenances = get_object(reader, json, "provenance");
    for (enum quantity i = 0; i < QUANTITIES && !reader->failed; i++) {
        const cJSON *group = i < FIRST_METRIC ? json : i < FIRST_COUNT ? metrics : counters;
        // A compiled kernel's registers and shared memory are what they are: the compiler's word.
        const char *by_default = i == REGISTERS || i == SHARED_BYTES ? "measured" : "";
        step->values[i] = get_value(reader, group, quantity_key(i), provenances, by_default);
    }
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
    for (enum resource i = 0; i < RESOURCES && !reader->failed; i++)
        limits->busy[i] = number_of(reader, find(busy, resource_key(i)), resource_key(i), 0, 100);
}

static void get_step(struct reader *reader, const cJSON *json, struct record_step *step)
{
    if (!cJSON_IsObject(json))
        fail(reader, "", "an object is expected");
    step->number = number_of(reader, find(json, "step"), "step", 0.001, 1e6);
    need_text(reader, json, "title", step->title, sizeof step->title);
    step->n = get_n(reader, json);
    const cJSON *verified = find(json, "verified");
    if (verified && !cJSON_IsBool(verified))
        fail(reader, "verified", "true, false or null is expected");
    step->rightness = !verified ? NOT_KNOWN : cJSON_IsTrue(verified) ? RIGHT : NOT_RIGHT;
    get_text(reader, json, "error", step->error, sizeof step->error);
    bool grid = get_dimensions(reader, json, "grid", step->grid);
    bool block = get_dimensions(reader, json, "block", step->block);
    step->launched = grid && block;
    const cJSON *launches = find(json, "launches");
    step->launches = launches ? number_of(reader, launches, "launches", 0, 1e9) : 0;
    get_text(reader, json, "file_hash", step->file_hash, sizeof step->file_hash);
    get_values(reader, json, step);
    get_limits(reader, json, &step->limits);
}

static void get_steps(struct reader *reader, const cJSON *root, struct record *record)
{
    const cJSON *steps = find(root, "steps"), *json;
    if (!cJSON_IsArray(steps) || cJSON_GetArraySize(steps) > MAX_STEPS) {
        fail(reader, "steps", "an array of at most %d steps is expected", MAX_STEPS);
        return;
    }
    cJSON_ArrayForEach(json, steps)
    {
        struct record_step *step = &record->steps[record->count];
        snprintf(reader->where, sizeof reader->where, "steps[%d].", record->count);
        get_step(reader, json, step);
        if (!reader->failed && record->count > 0 && step->number <= step[-1].number)
            fail(reader, "step", "steps must be in ascending order");
        if (reader->failed)
            return;
        record->count++;
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

static void get_run(struct reader *reader, const cJSON *root, struct record *record)
{
    need_text(reader, root, "kit", record->kit, sizeof record->kit);
    get_text(reader, root, "source", record->source, sizeof record->source);
    record->n = get_n(reader, root);
    const cJSON *device = get_object(reader, root, "device");
    char kind[16], cc[16];
    need_text(reader, device, "kind", kind, sizeof kind);
    record->simulated = strcmp(kind, "simulated") == 0;
    if (!record->simulated && strcmp(kind, "gpu") != 0)
        fail(reader, "device.kind", "gpu or simulated is expected");
    need_text(reader, device, "name", record->device, sizeof record->device);
    get_text(reader, device, "cc", cc, sizeof cc);
    if (*cc && sscanf(cc, "%4d.%4d", &record->cc_major, &record->cc_minor) != 2)
        fail(reader, "device.cc", "\"9.0\" or the like is expected");
    get_text(reader, device, "toolkit", record->toolkit, sizeof record->toolkit);
    get_text(reader, device, "driver", record->driver, sizeof record->driver);
    record->sms = (int)number_if_known(reader, device, "sms", 1e6);
    record->dram_peak_gbs = number_if_known(reader, device, "dram_peak_gbs", 1e9);
    record->l2_bytes = (size_t)number_if_known(reader, device, "l2_bytes", 1e15);
    const cJSON *baselines = get_object(reader, root, "baselines");
    record->cpu_ms = number_if_known(reader, baselines, "cpu_ms", 1e9);
    record->copy_gbs = number_if_known(reader, baselines, "copy_gbs", 1e9);
    const cJSON *saved = find(root, "saved");
    if (saved)
        need_text(reader, saved, "time", record->saved_time, sizeof record->saved_time);
    get_steps(reader, root, record);
}

// Where in the text cJSON stopped, as editors count.
static void say_place(const char *text, const char *end, char why[RECORD_WHY_SIZE])
{
    int line = 1;
    const char *start = text;
    for (const char *c = text; c < end; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    snprintf(why, RECORD_WHY_SIZE, "it is no JSON, or it is cut off: see line %d, column %d", line,
             (int)(end - start) + 1);
}

bool record_parse(const char *text, struct record *record, char why[RECORD_WHY_SIZE])
{
    *record = (struct record){0};
    const char *end = text;
    cJSON *root = cJSON_ParseWithOpts(text, &end, true);
    if (!root) {
        say_place(text, end, why);
        return false;
    }
    struct reader reader = {.why = why};
    if (cJSON_IsObject(root))
        get_run(&reader, root, record);
    else
        fail(&reader, "it", "an object is expected");
    cJSON_Delete(root);
    return !reader.failed;
}
