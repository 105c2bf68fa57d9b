#define _POSIX_C_SOURCE 200809L // fdopen, O_CLOEXEC
#include "files/run_read.h"

#include "facts/version.h"
#include "files/run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether the shell has opened the file, "<(jq ...)": then there is somebody who writes it.
static bool is_open_already(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

// Opens a file without waiting for anybody. NULL with the reason in `why`.
static FILE *open_record(const char *path, char why[RUN_WHY_SIZE])
{
    struct stat found;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    FILE *stream = NULL;
    if (file < 0 || fstat(file, &found) != 0) {
        snprintf(why, RUN_WHY_SIZE, "it cannot be read: %s", strerror(errno));
    } else if (!S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode) && !is_open_already(path)) {
        snprintf(why, RUN_WHY_SIZE, "it is no regular file");
    } else {
        (void)fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
        if (!(stream = fdopen(file, "r")))
            snprintf(why, RUN_WHY_SIZE, "it cannot be read: %s", strerror(errno));
    }
    if (file >= 0 && !stream)
        close(file);
    return stream;
}

char *record_text(const char *path, size_t most, char why[RUN_WHY_SIZE])
{
    FILE *file = open_record(path, why);
    if (!file)
        return NULL;
    char *text = malloc(most + 1);
    size_t size = text ? fread(text, 1, most, file) : 0;
    if (!text || ferror(file))
        snprintf(why, RUN_WHY_SIZE, "it cannot be read: %s", strerror(errno));
    else if (size == most)
        snprintf(why, RUN_WHY_SIZE, "it is no run: those take less than %zu bytes", most);
    else if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        snprintf(why, RUN_WHY_SIZE,
                 "it is UTF-16, as PowerShell's > writes it: `iconv -f UTF-16 -t UTF-8 FILE >NEW` "
                 "makes UTF-8 of it");
    else if (memchr(text, '\0', size))
        snprintf(why, RUN_WHY_SIZE, "it is no text: it holds a zero byte");
    else
        *why = '\0';
    fclose(file);
    if (*why != '\0') {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

// What to do about a text that is no run of this kit's, and whose it is.
static void add_remedy(const struct run *run, char why[RUN_WHY_SIZE])
{
    static const char ours[] = "apodkit " KIT_VERSION;
    size_t used = strlen(why);
    if (*run->kit && strcmp(run->kit, ours) != 0)
        used += (size_t)snprintf(why + used, RUN_WHY_SIZE - used, " (it is of %.40s, this is %s)",
                                 run->kit, ours);
    if (used < RUN_WHY_SIZE)
        snprintf(why + used, RUN_WHY_SIZE - used, ". `./run --json FILE` records it again");
}

static struct run *parse(const char *text, const char *label, char why[RUN_WHY_SIZE])
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        snprintf(why, RUN_WHY_SIZE, "the host has no memory for it");
        return NULL;
    }
    if (!run_parse(text, run, why)) {
        add_remedy(run, why);
        free(run);
        return NULL;
    }
    snprintf(run->label, sizeof run->label, "%s", label);
    return run;
}

struct run *run_read(const char *path, const char *label)
{
    char why[RUN_WHY_SIZE];
    char *text = record_text(path, RUN_MAX_BYTES, why);
    struct run *run = text ? parse(text, label, why) : NULL;
    free(text);
    if (!run)
        fprintf(stderr, "apodkit: the recorded run %s: %s\n", path, why);
    return run;
}

struct run *run_open(const char *name)
{
    char path[KIT_PATH_SIZE];
    return run_file_find(name, path) ? run_read(path, name) : NULL;
}

struct run *run_of_text(const char *text, const char *label)
{
    char why[RUN_WHY_SIZE];
    struct run *run = parse(text, label, why);
    if (!run)
        fprintf(stderr, "apodkit: the JSON of the run %s: %s\n", label, why);
    return run;
}
