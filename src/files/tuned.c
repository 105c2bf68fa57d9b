#define _POSIX_C_SOURCE 200809L // getline, open_memstream
#include "files/tuned.h"

#include "base/output_file.h"
#include "base/programs.h"
#include "base/sim_devices.h"
#include "base/style.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// A file is a line about its device, and two of each step: about how it was found, "# step 8: ...", and
// "TUNED_8 := BAND=0 BLOCKS=3".
#define ABOUT_STEP "# step %d: "
#define SETTING "TUNED_%d := "

static const char writing[] = "writing the launch box to";

void settings_text(const struct step *point, char text[SETTINGS_SIZE])
{
    int used = 0;
    for (int i = 0; i < point->lab->parameter_count; i++) {
        char setting[SETTING_SIZE];
        setting_text(point, i, setting);
        used += snprintf(text + used, (size_t)(SETTINGS_SIZE - used), "%s%s=%s", i ? " " : "",
                         point->lab->parameters[i].name, setting);
    }
}

// A simulated device's file is called after it, a GPU's as its recorded runs are.
static bool name_for(const struct device *device, char name[TUNED_NAME_SIZE])
{
    for (int i = 0; device->simulated && i < sim_device_count; i++)
        if (strstr(device->name, sim_devices[i].full_name))
            return snprintf(name, TUNED_NAME_SIZE, "sim-%s", sim_devices[i].name) > 0;
    char script[KIT_PATH_SIZE];
    int status = 0;
    if (!kit_path("tests/device_name.sh", script))
        return false;
    char *argv[] = {script, (char *)device->name, NULL};
    char *said = program_output(argv, TUNED_NAME_SIZE - 1, 10, &status);
    bool good = said && status == 0 && *said && !strchr(said, '/');
    if (good)
        snprintf(name, TUNED_NAME_SIZE, "%.*s", (int)strcspn(said, "\n"), said);
    else
        fprintf(stderr, "apodkit: %s gives no file's name for '%s'\n", script, device->name);
    free(said);
    return good;
}

static void put_found(FILE *text, const struct tunings *tunings, int chosen)
{
    const struct device *device = &tunings->at->device;
    for (int i = 0; i < tunings->count; i++)
        fprintf(text, " %zu", tunings->at[i].n);
    fprintf(text, ", %s%s", device->simulated ? "modelled" : "driver ", device->driver);
    for (int i = 0; i < tunings->count && !device->simulated; i++)
        fprintf(text, "%s%.1f", i ? " " : ", ", tunings->at[i].candidates[chosen].share);
    if (!device->simulated)
        fprintf(text, " %% of the device's copy");
}

static void put_step(FILE *text, const struct tunings *tunings)
{
    int chosen = tunings_choice(tunings), step = lab_step(lab_here());
    double first = tunings_behind(tunings, 0), behind = tunings_behind(tunings, chosen);
    char settings[SETTINGS_SIZE], without[SETTINGS_SIZE];
    settings_text(step_find(tunings->at->candidates[chosen].number), settings);
    settings_text(step_find(tunings->at->candidates[0].number), without);
    fprintf(text, ABOUT_STEP "n =", step);
    put_found(text, tunings, chosen);
    if (first > 0 && chosen != 0)
        fprintf(text, "; %s takes %.3f times as long", without, first / behind);
    fprintf(text, "\n" SETTING "%s\n", step, settings);
}

// Of the file that is there, what is of other steps.
static void put_others(FILE *text, FILE *old, int step)
{
    char about[32], setting[32], *line = NULL;
    size_t size = 0;
    snprintf(about, sizeof about, ABOUT_STEP, step);
    snprintf(setting, sizeof setting, SETTING, step);
    for (int i = 0; getline(&line, &size, old) > 0; i++)
        if (i > 0 && strncmp(line, about, strlen(about)) != 0 &&
            strncmp(line, setting, strlen(setting)) != 0)
            fputs(line, text);
    free(line);
}

static char *text_for(const struct tunings *tunings, const char *path, size_t *size)
{
    char *text = NULL;
    FILE *memory = open_memstream(&text, size);
    if (!memory)
        return NULL;
    const struct device *device = &tunings->at->device;
    fprintf(memory, "# %s, compute capability %d.%d: found by ./run tune, for make TUNED=1\n",
            device->name, device->cc_major, device->cc_minor);
    FILE *old = fopen(path, "r");
    bool good = old || errno == ENOENT; // there may be none
    if (old) {
        put_others(memory, old, lab_step(lab_here()));
        good = !ferror(old);
        fclose(old);
    }
    put_step(memory, tunings);
    if (fclose(memory) == 0 && good)
        return text;
    free(text);
    return NULL;
}

bool tuned_keep(const struct tunings *tunings, char name[TUNED_NAME_SIZE])
{
    char folder[KIT_PATH_SIZE], path[KIT_PATH_SIZE], inside[TUNED_NAME_SIZE + 8];
    if (!name_for(&tunings->at->device, name))
        return false;
    snprintf(inside, sizeof inside, "tuned/%s", name);
    if (!kit_path("tuned", folder) || !kit_path(inside, path) ||
        (mkdir(folder, 0777) != 0 && errno != EEXIST)) {
        fprintf(stderr, "apodkit: making the folder %s: %s\n", folder, strerror(errno));
        return false;
    }
    size_t size = 0;
    char *text = text_for(tunings, path, &size);
    if (!text)
        fprintf(stderr, "apodkit: what is in %s cannot be kept: %s\n", path, strerror(errno));
    bool good = text && output_write(writing, path, text, size);
    free(text);
    return good;
}

// "# NVIDIA H200, compute capability 9.0: ..." as a heading, and a step's two lines as they are.
static void print_file(FILE *file, const char *path)
{
    FILE *tuned = fopen(path, "r");
    char *line = NULL;
    size_t size = 0;
    for (int i = 0; tuned && getline(&line, &size, tuned) > 0; i++) {
        char *shown = line + strspn(line, "# ");
        shown[strcspn(shown, i == 0 ? ":\n" : "\n")] = '\0';
        if (i == 0)
            fprintf(file, "%s (%s)\n", shown, strrchr(path, '/') + 1);
        else if (*line == '#')
            put_wrapped(file, "  ", shown);
        else if (strstr(line, ":= "))
            fprintf(file, "    %s\n", strstr(line, ":= ") + 3);
    }
    free(line);
    if (tuned)
        fclose(tuned);
}

bool tuned_print(FILE *file)
{
    char pattern[KIT_PATH_SIZE];
    glob_t files;
    if (!kit_path("tuned/*", pattern) || glob(pattern, 0, NULL, &files) != 0) {
        fprintf(stderr, "apodkit: nothing is tuned yet: type `./run tune 8`\n");
        return false;
    }
    put_wrapped(
        file, "",
        "Launch boxes (make TUNED=1 builds with this GPU's, make TUNED=NAME with another's):");
    for (size_t i = 0; i < files.gl_pathc; i++)
        print_file(file, files.gl_pathv[i]);
    globfree(&files);
    return true;
}
