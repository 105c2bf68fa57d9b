#include "files/json.h"

#include "facts/tuning.h"
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

static void add_candidate(cJSON *object, const struct candidate *candidate)
{
    const struct step *point = step_find(candidate->number);
    cJSON *settings = json_object(object, "settings");
    for (int i = 0; i < point->lab->parameter_count; i++) {
        char text[SETTING_SIZE];
        setting_text(point, i, text);
        json_add_text(settings, point->lab->parameters[i].name, text);
    }
    json_add(object, "state", states[candidate->state]);
    json_add_known_text(object, "error", candidate->complaint);
    json_add_known(object, "predicted_ms", candidate->predicted_ms);
    if (candidate->timing.launches == 0)
        return;
    add_timing(object, "time_ms", &candidate->timing);
    add_timing(object, "over_fastest", &candidate->behind);
    json_add_known(object, "percent_of_copy", candidate->share);
}

char *json_of_tuning(const struct tuning *tuning)
{
    cJSON *root = json_begin();
    int step = lab_step(lab_here());
    char name[STEP_NAME_SIZE];
    step_name(lab_here()->file, name);
    json_add(root, "kit", "apodkit " KIT_VERSION);
    json_add_device(json_object(root, "device"), &tuning->device);
    json_add(root, "n", tuning->n);
    json_add_known(root, "step", step);
    json_add_text(root, "name", name);
    json_add(root, "rounds", tuning->rounds);
    json_add_known(root, "predicted_n", tuning->model_n);
    cJSON *array = json_array(root, "candidates");
    for (int i = 0; i < tuning->count; i++)
        add_candidate(json_object(array, NULL), &tuning->candidates[i]);
    return json_print(root);
}
