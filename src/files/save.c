#define _POSIX_C_SOURCE 200809L // stat, mkdir
#include "files/save.h"

#include "base/output_file.h"
#include "base/source_file.h"
#include "files/json.h"
#include "files/run_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_NAMES = 1000 };

static const char SAVING[] = "saving the run in";

// FNV-1a, 64 bits (Fowler, Noll, Vo: the constants are theirs): enough to tell an edited file from the
// one before, and not meant to stand up to somebody who wants two files to look alike.
static bool hash_file(const char *path, char hash[HASH_SIZE])
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    uint64_t state = UINT64_C(0xcbf29ce484222325);
    for (int byte; (byte = getc(file)) != EOF;)
        state = (state ^ (uint64_t)byte) * UINT64_C(0x100000001b3);
    bool good = !ferror(file);
    fclose(file);
    snprintf(hash, HASH_SIZE, "fnv1a64:%016" PRIx64, state);
    return good;
}

// The hash of a step's file, unless that is newer than the program: then it is not what was run.
static void hash_step(const struct step *step, char hash[HASH_SIZE])
{
    struct source_file source = source_file_find(step->file);
    const char *why = source.state == SOURCE_MISSING  ? source.lacks
                      : source.state == SOURCE_EDITED ? "was changed after ./run was built"
                      : !hash_file(source.path, hash) ? "cannot be read"
                                                      : NULL;
    if (!why)
        return;
    *hash = '\0';
    fprintf(stderr, "apodkit: --save keeps no hash of %s: it %s\n", step->file, why);
}

static void say_no_folder(void)
{
    fprintf(stderr, "apodkit: --save cannot tell where the kit is; name a folder in "
                    "APODKIT_RESULTS\n");
}

static bool make_folder(void)
{
    char path[KIT_PATH_SIZE];
    if (!run_folder_path(SAVED_RUNS, path)) {
        say_no_folder();
        return false;
    }
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    fprintf(stderr,
            "apodkit: --save cannot make the folder %s: %s. APODKIT_RESULTS can name another.\n",
            path, strerror(errno));
    return false;
}

bool save_possible(const char *name)
{
    char path[KIT_PATH_SIZE];
    if (!run_name_is_good(name)) {
        fprintf(stderr,
                "apodkit: --save takes a name of at most %d letters, digits, '.', '_' and "
                "'-' that starts with a letter or digit, not '%s'\n",
                RUN_NAME_SIZE - 1, name);
        return false;
    }
    if (run_file_path(REFERENCE_RUNS, name, path) && access(path, F_OK) == 0) {
        fprintf(stderr, "apodkit: --save: '%s' is the name of a reference, %s\n", name, path);
        return false;
    }
    if (!make_folder())
        return false;
    if (!run_file_path(SAVED_RUNS, name, path)) {
        say_no_folder();
        return false;
    }
    if (access(path, F_OK) != 0)
        return output_possible(SAVING, path);
    fprintf(stderr,
            "apodkit: --save: there is a run of that name, %s. Choose another (--save NAME), or "
            "remove that file.\n",
            path);
    return false;
}

// Another name, for a run whose own was taken while it ran: "mine-2".
static bool next_name(const char *name, int number, char next[RUN_NAME_SIZE])
{
    char end[16];
    int length = snprintf(end, sizeof end, "-%d", number);
    snprintf(next, RUN_NAME_SIZE, "%.*s%s", RUN_NAME_SIZE - 1 - length, name, end);
    return number < MAX_NAMES;
}

// Returns an error number, or 0.
static int write_as(const char *name, struct run *run, char **text, char path[KIT_PATH_SIZE])
{
    snprintf(run->label, sizeof run->label, "%s", name);
    free(*text);
    *text = json_of_run(run);
    return !*text                                   ? ENOMEM
           : !run_file_path(SAVED_RUNS, name, path) ? ENOENT
                                                    : output_create(path, *text, strlen(*text));
}

static bool write_run(const char *name, struct run *run)
{
    char path[KIT_PATH_SIZE] = "", other[RUN_NAME_SIZE], *text = NULL;
    int error = write_as(name, run, &text, path);
    for (int i = 2; error == EEXIST && next_name(name, i, other); i++)
        error = write_as(other, run, &text, path);
    bool as_asked = !error && strcmp(run->label, name) == 0;
    if (error && text)
        output_keep_elsewhere(SAVING, *path ? path : name, text, strlen(text), error);
    else if (error)
        fprintf(stderr, "apodkit: the host has no memory for the JSON\n");
    else if (!as_asked)
        fprintf(stderr,
                "apodkit: --save: another run took the name '%s' meanwhile: this one is kept as "
                "'%s'.\n",
                name, run->label);
    free(text);
    return as_asked;
}

bool save_run(const char *name, struct run *run)
{
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc))
        strftime(run->saved_time, sizeof run->saved_time, "%Y-%m-%dT%H:%M:%SZ", &utc);
    else
        snprintf(run->saved_time, sizeof run->saved_time,
                 "1970-01-01T00:00:00Z");                 // of a clock that is far off
    for (int i = 0; i < run->count && !*run->source; i++) // else what ran is no file of here
        hash_step(step_of(&run->steps[i]), run->steps[i].file_hash);
    return write_run(name, run);
}
