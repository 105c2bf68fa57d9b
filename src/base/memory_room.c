#define _GNU_SOURCE // getline
#include "base/memory_room.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

// What one version of control groups calls its files, and the counts of cached files in memory.stat.
struct version {
    const char *type; // of the file system
    const char *limit, *used, *events, *cached[2];
};

static const struct version versions[] = {
    {"cgroup2", "memory.max", "memory.current", "memory.events", {"inactive_file", "active_file"}},
    {"cgroup",
     "memory.limit_in_bytes",
     "memory.usage_in_bytes",
     "memory.oom_control",
     {"total_inactive_file", "total_active_file"}},
};
enum { VERSIONS = sizeof versions / sizeof *versions };

static FILE *open_in(const char *folder, const char *name)
{
    char path[4 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "re");
}

// The number that is all of the file; `otherwise` where there is none, as of "max".
static uint64_t read_number(const char *folder, const char *name, uint64_t otherwise)
{
    uint64_t number = otherwise;
    FILE *file = open_in(folder, name);
    if (file && fscanf(file, "%" SCNu64, &number) != 1)
        number = otherwise;
    if (file)
        fclose(file);
    return number;
}

// The number behind the word, at a line's start.
static bool read_count(const char *folder, const char *name, const char *word, uint64_t *count)
{
    char found[64];
    uint64_t number;
    FILE *file = open_in(folder, name);
    bool good = false;
    while (file && !good && fscanf(file, "%63s %" SCNu64, found, &number) == 2)
        good = strcmp(found, word) == 0;
    if (file)
        fclose(file);
    if (good)
        *count = number;
    return good;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",\n") == length && strncmp(list, word, length) == 0)
            return true;
    return false;
}

// Where the version's groups are mounted, and which of them is the root there: a container may see no others.
static bool find_mount(const char *root, const struct version *version, char mount[PATH_SIZE],
                       char top[PATH_SIZE])
{
    char *line = NULL, type[32], options[1024];
    size_t size = 0;
    bool found = false;
    FILE *mounts = open_in(root, "proc/self/mountinfo");
    while (mounts && !found && getline(&line, &size, mounts) >= 0) {
        const char *behind = strstr(line, " - ");
        found = behind && sscanf(line, "%*s %*s %*s %4095s %4095s", top, mount) == 2 &&
                sscanf(behind, " - %31s %*s %1023s", type, options) == 2 &&
                strcmp(type, version->type) == 0 &&
                (version == versions || has_word(options, "memory"));
    }
    free(line);
    if (mounts)
        fclose(mounts);
    return found;
}

// The group that this process is in: "0::/a/b" of version 2, "9:memory:/a/b" of version 1.
static bool find_group(const char *root, const struct version *version, char group[PATH_SIZE])
{
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    FILE *groups = open_in(root, "proc/self/cgroup");
    while (groups && !found && getline(&line, &size, groups) >= 0) {
        char *controllers = strchr(line, ':');
        char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        found = version == versions ? !controllers[1] : has_word(controllers + 1, "memory");
        if (found)
            snprintf(group, PATH_SIZE, "%s", path);
    }
    free(line);
    if (groups)
        fclose(groups);
    return found;
}

// Where a parent leaves less than what is known, it counts.
static void look_at(const char *folder, const struct version *version, struct memory_room *room)
{
    uint64_t limit = read_number(folder, version->limit, UINT64_MAX);
    uint64_t used = read_number(folder, version->used, 0);
    if (limit >= UINT64_MAX / 4) // version 1 has a large number for none
        return;
    for (int i = 0; i < 2; i++) {
        uint64_t cached = 0;
        (void)read_count(folder, "memory.stat", version->cached[i], &cached);
        used -= cached < used ? cached : used;
    }
    uint64_t left = used < limit ? limit - used : 0;
    if (left >= room->left)
        return;
    room->limit = limit;
    room->left = left;
}

static void look_through(const char *root, const struct version *version, struct memory_room *room)
{
    char mount[PATH_SIZE], top[PATH_SIZE], group[PATH_SIZE], folder[3 * PATH_SIZE];
    if (!find_mount(root, version, mount, top) || !find_group(root, version, group))
        return;
    size_t above = strcmp(top, "/") == 0 ? 0 : strlen(top);
    bool within = strncmp(group, top, above) == 0;
    int mounted = snprintf(folder, sizeof folder, "%s%s", root, mount);
    snprintf(folder + mounted, sizeof folder - (size_t)mounted, "%s", within ? group + above : "");
    bool counted = false;
    for (;;) {
        look_at(folder, version, room);
        counted = counted || read_count(folder, version->events, "oom_kill", &room->kills);
        char *last = strrchr(folder + mounted, '/');
        if (!last)
            return;
        *last = '\0';
    }
}

struct memory_room memory_room(const char *root)
{
    struct memory_room room = {.limit = UINT64_MAX, .left = UINT64_MAX};
    char folder[PATH_SIZE];
    snprintf(folder, sizeof folder, "%s/proc", root);
    (void)read_count(folder, "vmstat", "oom_kill", &room.kills); // of all processes
    for (int i = 0; i < VERSIONS; i++)
        look_through(root, &versions[i], &room);
    return room;
}
