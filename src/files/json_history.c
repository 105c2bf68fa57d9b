#include "facts/history.h"
#include "files/json.h"
#include "files/json_build.h"

static void add_fastest(cJSON *object, const struct history_entry *entry)
{
    const struct step_result *step = entry->fastest;
    if (!step) {
        json_add_text(object, "fastest", NULL);
        return;
    }
    struct value share = share_of_copy(entry->run, step);
    cJSON *fastest = json_object(object, "fastest");
    json_add(fastest, "step", step->number);
    json_add(fastest, "title", step->title);
    json_add(fastest, "time_ms", &step->values[TIME_MS]);
    json_add(fastest, "bandwidth_gbs", step->values[BANDWIDTH_GBS].number);
    json_add(fastest, "provenance", provenance_name(step->values[BANDWIDTH_GBS].provenance));
    json_add(fastest, "percent_of_copy", &share);
}

char *json_of_history(const struct history *history)
{
    static const char *const changes[] = {[FILE_SAME] = "same",
                                          [FILE_CHANGED] = "changed",
                                          [FILE_FIRST] = "first",
                                          [FILE_UNKNOWN] = "unknown"};
    cJSON *root = json_begin(), *runs = json_array(root, "runs");
    for (size_t i = 0; i < history->count; i++) {
        const struct history_entry *entry = &history->entries[i];
        const struct run *run = entry->run;
        cJSON *object = json_object(runs, NULL);
        json_add(object, "name", run->label);
        json_add(object, "time", run->saved_time);
        json_add(object, "device", run->device.name);
        json_add(object, "n", run->n);
        add_fastest(object, entry);
        cJSON *files = json_array(object, "files");
        for (int s = 0; s < run->count; s++) {
            cJSON *file = json_object(files, NULL);
            json_add(file, "step", run->steps[s].number);
            json_add(file, "since_before", changes[entry->changes[s]]);
        }
    }
    return json_print(root);
}
