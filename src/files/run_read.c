#include "files/run_read.h"

#include "files/run_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The whole file as a string that the caller frees; NULL with the reason in `why`.
static char *read_text(const char *path, char why[RUN_WHY_SIZE])
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(RUN_MAX_BYTES + 1) : NULL;
    size_t size = text ? fread(text, 1, RUN_MAX_BYTES, file) : 0;
    if (!text || ferror(file))
        snprintf(why, RUN_WHY_SIZE, "it cannot be read: %s", strerror(errno));
    else if (size == RUN_MAX_BYTES)
        snprintf(why, RUN_WHY_SIZE, "it is no run: those take less than %d bytes", RUN_MAX_BYTES);
    else if (memchr(text, '\0', size))
        snprintf(why, RUN_WHY_SIZE, "it is no JSON: it holds a zero byte");
    else
        *why = '\0';
    if (file)
        fclose(file);
    if (*why != '\0') {
        free(text);
        return NULL;
    }
    text[size] = '\0';
    return text;
}

static struct run *parse(const char *text, const char *label, char why[RUN_WHY_SIZE])
{
    struct run *run = calloc(1, sizeof *run);
    if (!run) {
        snprintf(why, RUN_WHY_SIZE, "the host has no memory for it");
        return NULL;
    }
    if (!run_parse(text, run, why)) {
        free(run);
        return NULL;
    }
    snprintf(run->label, sizeof run->label, "%s", label);
    return run;
}

struct run *run_read(const char *path, const char *label)
{
    char why[RUN_WHY_SIZE];
    char *text = read_text(path, why);
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
