#define _POSIX_C_SOURCE 200809L // mkdir, gmtime_r
#include "files/predictions.h"

#include "base/output_file.h"
#include "base/untrusted_text.h"
#include "files/json_build.h"
#include "files/run_files.h"
#include "files/run_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char KEEPING[] = "keeping the predictions in";

// ---- Out ---------------------------------------------------------------------------------------

static void add_record(cJSON *array, const struct prediction_record *record)
{
    cJSON *object = json_object(array, NULL);
    json_add(object, "step", record->step);
    json_add(object, "time", record->time);
    json_add(object, "device", record->device);
    json_add(object, "n", record->n);
    cJSON *list = json_array(object, "predictions");
    for (int i = 0; i < record->count; i++) {
        const struct prediction *prediction = &record->list[i];
        bool is_limit = prediction->subject == ASKED_LIMIT;
        if (!prediction->answered)
            continue;
        cJSON *one = json_object(list, NULL);
        json_add(one, "asked", subject_key(prediction->subject));
        if (is_limit) {
            json_add(one, "predicted", limiters[(enum limiter)prediction->predicted].key);
            json_add(one, "came", limiters[(enum limiter)prediction->came].key);
            json_add(one, "came_too", limiters[(enum limiter)prediction->came_too].key);
        } else {
            json_add(one, "predicted", prediction->predicted);
            json_add(one, "came", prediction->came);
        }
        json_add(one, "right", prediction_is_right(prediction));
    }
}

char *json_of_predictions(const struct prediction_record *records, int count)
{
    cJSON *array = json_begin_array();
    for (int i = 0; i < count; i++)
        add_record(array, &records[i]);
    return json_print(array);
}

static int make_folders(void)
{
    char path[KIT_PATH_SIZE];
    for (enum run_folder folder = SAVED_RUNS; folder <= PREDICTIONS; folder++)
        if (!run_folder_path(folder, path))
            return ENOENT;
        else if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return errno;
    return 0;
}

// The name is the time: so they are in order.
static void name_file(char name[RUN_NAME_SIZE], char stamp[SAVED_TIME_SIZE])
{
    time_t now = time(NULL);
    struct tm utc = {.tm_mday = 1};
    (void)gmtime_r(&now, &utc);
    strftime(stamp, SAVED_TIME_SIZE, "%Y-%m-%dT%H:%M:%SZ", &utc);
    size_t used = strftime(name, RUN_NAME_SIZE, "%Y%m%dT%H%M%S", &utc);
    snprintf(name + used, RUN_NAME_SIZE - used, "-%ld", (long)getpid());
}

bool predictions_keep(struct prediction_record *records, int count)
{
    char name[RUN_NAME_SIZE], stamp[SAVED_TIME_SIZE], path[KIT_PATH_SIZE] = "results/predictions";
    int kept = 0;
    name_file(name, stamp);
    for (int i = 0; i < count; i++) {
        bool answered = false;
        for (int k = 0; k < records[i].count; k++)
            answered |= records[i].list[k].answered;
        if (!answered)
            continue;
        records[kept] = records[i];
        memcpy(records[kept++].time, stamp, sizeof stamp);
    }
    if (kept == 0)
        return true;
    char *text = json_of_predictions(records, kept);
    if (!text) {
        fprintf(stderr, "apodkit: the host has no memory for the predictions\n");
        return false;
    }
    int error = make_folders();
    if (!error)
        error = run_file_path(PREDICTIONS, name, path) ? output_create(path, text, strlen(text))
                                                       : ENOENT;
    if (error)
        output_keep_elsewhere(KEEPING, path, text, strlen(text), error);
    free(text);
    return !error;
}

// ---- In ----------------------------------------------------------------------------------------

static bool get_number(const cJSON *object, const char *key, double least, double most,
                       double *number)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= least && item->valuedouble <= most))
        return false;
    *number = item->valuedouble;
    return true;
}

static const char *get_text(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : "";
}

static bool get_prediction(const cJSON *object, struct prediction *prediction)
{
    *prediction =
        (struct prediction){.subject = subject_find(get_text(object, "asked")), .answered = true};
    if (prediction->subject != ASKED_LIMIT)
        return prediction->subject < SUBJECTS &&
               get_number(object, "predicted", 0, 1e300, &prediction->predicted) &&
               get_number(object, "came", 0, 1e300, &prediction->came);
    prediction->predicted = limiter_find(get_text(object, "predicted"));
    prediction->came = limiter_find(get_text(object, "came"));
    prediction->came_too = limiter_find(get_text(object, "came_too"));
    return prediction->predicted != LIMITER_UNKNOWN && prediction->came != LIMITER_UNKNOWN;
}

static bool get_record(const cJSON *object, struct prediction_record *record)
{
    double n = 0;
    const cJSON *one;
    *record = (struct prediction_record){0};
    foreign_copy(record->time, sizeof record->time, get_text(object, "time"));
    foreign_copy(record->device, sizeof record->device, get_text(object, "device"));
    if (!get_number(object, "step", 1, 1e6, &record->step) ||
        !get_number(object, "n", 1, MAX_N, &n) || strlen(record->time) < 16)
        return false;
    record->n = (size_t)n;
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(object, "predictions"))
    {
        if (record->count == MAX_QUESTIONS || !get_prediction(one, &record->list[record->count]))
            return false;
        record->count++;
    }
    return true;
}

// In the place of the step's record, or in a new one at its place. More steps than the kit can have are left out.
static void insert(struct prediction_record records[], int *count,
                   const struct prediction_record *record)
{
    int place = 0;
    while (place < *count && records[place].step < record->step)
        place++;
    if (place == *count || records[place].step != record->step) {
        if (*count == MAX_STEPS)
            return;
        memmove(&records[place + 1], &records[place], (size_t)(*count - place) * sizeof *records);
        ++*count;
    }
    records[place] = *record;
}

static bool read_file(const char *name, struct prediction_record records[], int *count)
{
    char path[KIT_PATH_SIZE], why[RUN_WHY_SIZE];
    const char *end;
    bool no_memory = false;
    char *text =
        run_file_path(PREDICTIONS, name, path) ? record_text(path, RUN_MAX_BYTES, why) : NULL;
    cJSON *array = text ? json_parse(text, &end, &no_memory) : NULL;
    bool good = cJSON_IsArray(array);
    const cJSON *object;
    cJSON_ArrayForEach(object, array)
    {
        struct prediction_record record;
        good = good && get_record(object, &record);
        if (good)
            insert(records, count, &record);
    }
    if (!good)
        fprintf(stderr, "apodkit: the predictions in %s: %s\n", path,
                !text       ? why
                : no_memory ? "the host has no memory for them"
                            : "these are none. Remove the file, or mend it");
    cJSON_Delete(array);
    free(text);
    return good;
}

int predictions_read(struct prediction_record records[], int *unreadable)
{
    struct run_names names;
    int count = 0;
    *unreadable = 0;
    if (!run_names_list(PREDICTIONS, &names))
        return -1;
    for (size_t i = 0; i < names.count; i++)
        *unreadable += !read_file(names.names[i], records, &count);
    run_names_free(&names);
    return count;
}
