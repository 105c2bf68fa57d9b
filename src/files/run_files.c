#define _POSIX_C_SOURCE 200809L // opendir, access
#include "files/run_files.h"

#include "base/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char suffix[] = ".json";

bool run_folder_path(enum run_folder folder, char path[KIT_PATH_SIZE])
{
    const char *chosen = getenv("APODKIT_RESULTS");
    const char *inside = folder == PREDICTIONS ? "/predictions" : "";
    char results[KIT_PATH_SIZE];
    if (folder == REFERENCE_RUNS)
        return kit_path("docs/runs", path);
    if (chosen && *chosen)
        snprintf(results, sizeof results, "%s", chosen);
    else if (!kit_path("results", results))
        return false;
    return snprintf(path, KIT_PATH_SIZE, "%s%s", results, inside) < KIT_PATH_SIZE;
}

bool run_file_path(enum run_folder folder, const char *name, char path[KIT_PATH_SIZE])
{
    char where[KIT_PATH_SIZE];
    return run_folder_path(folder, where) &&
           snprintf(path, KIT_PATH_SIZE, "%s/%s%s", where, name, suffix) < KIT_PATH_SIZE;
}

bool run_name_is_good(const char *name)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    size_t length = strlen(name);
    return length > 0 && length < RUN_NAME_SIZE && strspn(name, signs) == length &&
           !strchr("._-", name[0]);
}

// The name of the run in a file of a folder; false when that is no run.
static bool name_of_file(const char *file, char name[RUN_NAME_SIZE])
{
    size_t length = strlen(file), end = sizeof suffix - 1;
    if (length <= end || length - end >= RUN_NAME_SIZE || strcmp(file + length - end, suffix) != 0)
        return false;
    snprintf(name, RUN_NAME_SIZE, "%.*s", (int)(length - end), file);
    return run_name_is_good(name);
}

static int in_order(const void *a, const void *b)
{
    return strcmp(a, b);
}

static bool add_name(struct run_names *names, const char *name)
{
    void *grown = realloc(names->names, (names->count + 1) * sizeof *names->names);
    if (!grown)
        return false;
    names->names = grown;
    snprintf(names->names[names->count++], RUN_NAME_SIZE, "%s", name);
    return true;
}

bool run_names_list(enum run_folder folder, struct run_names *names)
{
    char path[KIT_PATH_SIZE], name[RUN_NAME_SIZE];
    *names = (struct run_names){0};
    if (!run_folder_path(folder, path))
        return true;
    DIR *directory = opendir(path);
    if (!directory) {
        if (errno == ENOENT)
            return true;
        fprintf(stderr, "apodkit: the recorded runs in %s: %s\n", path, strerror(errno));
        return false;
    }
    bool good = true;
    for (struct dirent *entry; good && (entry = readdir(directory));)
        if (name_of_file(entry->d_name, name))
            good = add_name(names, name);
    closedir(directory);
    if (!good) {
        fprintf(stderr, "apodkit: the host has no memory for the names in %s\n", path);
        run_names_free(names);
    } else if (names->count > 0) {
        qsort(names->names, names->count, sizeof *names->names, in_order);
    }
    return good;
}

void run_names_free(struct run_names *names)
{
    free(names->names);
    *names = (struct run_names){0};
}

// One line: what there is in a folder; and whether it holds a name near to the typed one.
static void say_what_there_is(enum run_folder folder, const char *typed)
{
    struct run_names names;
    if (!run_names_list(folder, &names))
        return;
    for (size_t i = 0; i < names.count; i++) {
        const char *name = names.names[i];
        if (suggest(typed, &name, 1, sizeof name))
            fprintf(stderr, "Did you mean '%s'?\n", name);
    }
    fprintf(stderr, folder == SAVED_RUNS ? "Saved runs:" : "References:");
    for (size_t i = 0; i < names.count && i < 20; i++)
        fprintf(stderr, " %s", names.names[i]);
    if (names.count > 20)
        fprintf(stderr, " and %zu more (./run history)", names.count - 20);
    fprintf(stderr, names.count > 0 ? "\n" : " none\n");
    run_names_free(&names);
}

bool run_file_find(const char *name, char path[KIT_PATH_SIZE])
{
    if (run_name_is_good(name))
        for (enum run_folder folder = REFERENCE_RUNS; folder <= SAVED_RUNS; folder++)
            if (run_file_path(folder, name, path) && access(path, F_OK) == 0)
                return true;
    int length = snprintf(path, KIT_PATH_SIZE, "%s", name);
    if (length > 0 && length < KIT_PATH_SIZE && access(path, F_OK) == 0)
        return true;
    fprintf(stderr,
            "apodkit: there is no recorded run '%s': neither a file, nor a reference, nor "
            "saved with --save.\n",
            name);
    say_what_there_is(REFERENCE_RUNS, name);
    say_what_there_is(SAVED_RUNS, name);
    return false;
}
