#include "files/json.h"

#include "facts/tuning_verdicts.h"
#include "facts/version.h"
#include "files/json_build.h"

static const char *const states[] = {
    [CANDIDATE_PENDING] = "not tried",   [CANDIDATE_LACKING] = "left out",
    [CANDIDATE_SLOW] = "predicted slow", [CANDIDATE_WRONG] = "wrong",
    [CANDIDATE_RIGHT] = "right",         [CANDIDATE_BEATEN] = "beaten",
    [CANDIDATE_LEVEL] = "level",         [CANDIDATE_FASTEST] = "fastest"};

static void add_timing(cJSON *object, const char *key, const struct timing *timing)
{
    cJSON *times = json_object(object, key);
    json_add(times, "median", timing->median_ms);
    json_add_known(times, "low", timing->low_ms);
    json_add_known(times, "high", timing->high_ms);
    json_add(times, "launches", timing->launches);
}

static void add_settings(cJSON *settings, const struct candidate *candidate)
{
    const struct step *point = step_find(candidate->number);
    for (int i = 0; i < point->lab->parameter_count; i++) {
        char text[SETTING_SIZE];
        setting_text(point, i, text);
        json_add_text(settings, point->lab->parameters[i].name, text);
    }
}

static void add_candidate(cJSON *object, const struct candidate *candidate)
{
    add_settings(json_object(object, "settings"), candidate);
    json_add(object, "state", states[candidate->state]);
    json_add_known_text(object, "error", candidate->complaint);
    json_add_known(object, "predicted_ms", candidate->predicted_ms);
    if (candidate->timing.launches == 0)
        return;
    add_timing(object, "time_ms", &candidate->timing);
    add_timing(object, "over_fastest", &candidate->behind);
    json_add_known(object, "percent_of_copy", candidate->share);
}

static void add_size(cJSON *object, const struct tuning *tuning)
{
    json_add(object, "n", tuning->n);
    json_add(object, "rounds", tuning->rounds);
    json_add_known(object, "predicted_n", tuning->model_n);
    cJSON *array = json_array(object, "candidates");
    for (int i = 0; i < tuning->count; i++)
        add_candidate(json_object(array, NULL), &tuning->candidates[i]);
}

char *json_of_tunings(const struct tunings *tunings)
{
    cJSON *root = json_begin();
    int step = lab_step(lab_here()), chosen = tunings_choice(tunings);
    char name[STEP_NAME_SIZE];
    step_name(lab_here()->file, name);
    json_add(root, "kit", "apodkit " KIT_VERSION);
    json_add_device(json_object(root, "device"), &tunings->at->device);
    json_add_known(root, "step", step);
    json_add_text(root, "name", name);
    if (chosen >= 0)
        add_settings(json_object(root, "chosen"), &tunings->at->candidates[chosen]);
    cJSON *array = json_array(root, "sizes");
    for (int i = 0; i < tunings->count; i++)
        add_size(json_object(array, NULL), &tunings->at[i]);
    return json_print(root);
}
