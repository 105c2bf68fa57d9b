#include "verbs/history.h"

#include <cjson/cJSON.h>

// cJSON refuses to add NULL, or to add to NULL: every failure to allocate ends in a false.
static bool add_fastest(cJSON *object, const struct history_entry *entry)
{
    const struct step_result *step = entry->fastest;
    if (!step)
        return cJSON_AddNullToObject(object, "fastest") != NULL;
    const struct value *time = &step->values[TIME_MS], *gbs = &step->values[BANDWIDTH_GBS];
    struct value share = share_of_copy(entry->run, step);
    cJSON *fastest = cJSON_AddObjectToObject(object, "fastest");
    return cJSON_AddNumberToObject(fastest, "step", step->number) &&
           cJSON_AddStringToObject(fastest, "title", step->title) &&
           (value_known(time) ? cJSON_AddNumberToObject(fastest, "time_ms", time->number)
                              : cJSON_AddNullToObject(fastest, "time_ms")) &&
           cJSON_AddNumberToObject(fastest, "bandwidth_gbs", gbs->number) &&
           cJSON_AddStringToObject(fastest, "provenance", provenance_name(gbs->provenance)) &&
           (value_known(&share) ? cJSON_AddNumberToObject(fastest, "percent_of_copy", share.number)
                                : cJSON_AddNullToObject(fastest, "percent_of_copy"));
}

static bool add_changes(cJSON *object, const struct history_entry *entry)
{
    static const char *const words[] = {[FILE_SAME] = "same",
                                        [FILE_CHANGED] = "changed",
                                        [FILE_FIRST] = "first",
                                        [FILE_UNKNOWN] = "unknown"};
    cJSON *files = cJSON_AddArrayToObject(object, "files");
    bool good = files != NULL;
    for (int i = 0; good && i < entry->run->count; i++) {
        cJSON *file = cJSON_CreateObject();
        good = cJSON_AddItemToArray(files, file) &&
               cJSON_AddNumberToObject(file, "step", entry->run->steps[i].number) &&
               cJSON_AddStringToObject(file, "since_before", words[entry->changes[i]]);
    }
    return good;
}

char *json_of_history(const struct history *history)
{
    cJSON *root = cJSON_CreateObject(), *runs = cJSON_AddArrayToObject(root, "runs");
    bool good = runs != NULL;
    for (size_t i = 0; good && i < history->count; i++) {
        const struct run *run = history->entries[i].run;
        cJSON *object = cJSON_CreateObject();
        good = cJSON_AddItemToArray(runs, object) &&
               cJSON_AddStringToObject(object, "name", run->label) &&
               cJSON_AddStringToObject(object, "time", run->saved_time) &&
               cJSON_AddStringToObject(object, "device", run->device.name) &&
               cJSON_AddNumberToObject(object, "n", (double)run->n) &&
               add_fastest(object, &history->entries[i]) &&
               add_changes(object, &history->entries[i]);
    }
    char *text = good ? cJSON_Print(root) : NULL;
    cJSON_Delete(root);
    return text;
}
