#define _POSIX_C_SOURCE 200809L // isatty
#include "verbs/tune.h"

#include "base/platform.h"
#include "base/progress.h"
#include "facts/labs.h"
#include "verbs/inner_make.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NAME_SIZE = 64, LIST_SIZE = 16 + MAX_STEPS * NAME_SIZE };

// What make calls a candidate: "BAND-4.BLOCKS-3".
static void name_candidate(const struct step *step, const int *settings, char name[NAME_SIZE])
{
    int used = 0;
    for (int i = 0; step->parameters[i].name; i++)
        used += snprintf(name + used, (size_t)(NAME_SIZE - used), "%s%s-%d", i ? "." : "",
                         step->parameters[i].name, settings[i]);
}

static void list_candidate(const struct step *step, const int *settings, char list[LIST_SIZE])
{
    char name[NAME_SIZE];
    size_t used = strlen(list);
    name_candidate(step, settings, name);
    snprintf(list + used, LIST_SIZE - used, " %s", name);
}

// The settings at a place of all that its values make together. False behind the last.
static bool settings_at(const struct step *step, int place, int settings[MOST_PARAMETERS])
{
    for (int i = 0; step->parameters[i].name; i++) {
        char text[SETTING_SIZE];
        int count = parameter_count_values(&step->parameters[i]);
        (void)parameter_value(&step->parameters[i], place % count, text);
        settings[i] = atoi(text);
        place /= count;
    }
    return place == 0;
}

// First what ./run has, then all others that can be. Returns how many.
static int list_candidates(const struct step *step, char list[LIST_SIZE])
{
    int settings[MOST_PARAMETERS] = {0}, count = 1;
    snprintf(list, LIST_SIZE, "CANDIDATES=");
    list_candidate(step, step->settings, list);
    for (int place = 0; settings_at(step, place, settings); place++)
        if (memcmp(settings, step->settings, sizeof settings) != 0 &&
            !(step->lacks && step->lacks(settings))) {
            list_candidate(step, settings, list);
            count++;
        }
    return count;
}

// A minute or two in which nothing else is said.
static void announce(int count)
{
    progress_say("building the candidates");
    if (!isatty(STDERR_FILENO))
        fprintf(stderr, "apodkit: building %d candidates, where they are not built yet\n", count);
}

static void folder_of(int step, bool simulated, char folder[32])
{
    snprintf(folder, 32, "build/%s-tune%d", simulated ? "sim" : "gpu", step);
}

bool tune_program(int step, bool simulated, char path[KIT_PATH_SIZE])
{
    char folder[32], inside[40];
    folder_of(step, simulated, folder);
    snprintf(inside, sizeof inside, "%s/run", folder);
    return kit_path(inside, path);
}

bool tune_build(const struct step *step)
{
    char source[512], list[LIST_SIZE], gpu[32], sim[32], its[40], others[40], for_gpu[40],
        for_sim[40];
    struct child_end end;
    folder_of(step->number, false, gpu);
    folder_of(step->number, true, sim);
    snprintf(source, sizeof source, "TUNE=%s", step->file);
    snprintf(its, sizeof its, "K=%s", gpu);
    snprintf(others, sizeof others, "S=%s", sim);
    snprintf(for_sim, sizeof for_sim, "%s/run", sim);
    snprintf(for_gpu, sizeof for_gpu, "%s/run", gpu);
    announce(list_candidates(step, list));
    bool good = inner_make((const char *const[]){source, list, its, others, for_sim,
                                                 platform.simulated ? NULL : for_gpu, NULL},
                           &end);
    progress_wipe();
    if (!good && !end.error)
        fprintf(stderr, "apodkit: the candidates of %s do not build:\n%s", step->file, end.said);
    return good;
}
