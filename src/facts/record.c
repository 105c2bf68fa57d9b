#include "facts/record.h"

#include "files/json.h"
#include "files/run_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The whole file as a string that the caller frees; NULL with the reason in `why`.
static char *read_text(const char *path, char why[RECORD_WHY_SIZE])
{
    FILE *file = fopen(path, "r");
    char *text = file ? malloc(RECORD_MAX_BYTES + 1) : NULL;
    size_t size = text ? fread(text, 1, RECORD_MAX_BYTES, file) : 0;
    if (!text || ferror(file))
        snprintf(why, RECORD_WHY_SIZE, "it cannot be read: %s", strerror(errno));
    else if (size == RECORD_MAX_BYTES)
        snprintf(why, RECORD_WHY_SIZE, "it is no run: those take less than %d bytes",
                 RECORD_MAX_BYTES);
    else if (memchr(text, '\0', size))
        snprintf(why, RECORD_WHY_SIZE, "it is no JSON: it holds a zero byte");
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

static struct record *parse(const char *text, const char *label, char why[RECORD_WHY_SIZE])
{
    struct record *record = calloc(1, sizeof *record);
    if (!record) {
        snprintf(why, RECORD_WHY_SIZE, "the host has no memory for it");
        return NULL;
    }
    if (!record_parse(text, record, why)) {
        free(record);
        return NULL;
    }
    snprintf(record->label, sizeof record->label, "%s", label);
    return record;
}

struct record *record_read(const char *path, const char *label)
{
    char why[RECORD_WHY_SIZE];
    char *text = read_text(path, why);
    struct record *record = text ? parse(text, label, why) : NULL;
    free(text);
    if (!record)
        fprintf(stderr, "apodkit: the recorded run %s: %s\n", path, why);
    return record;
}

struct record *record_open(const char *name)
{
    char path[KIT_PATH_SIZE];
    return run_file_find(name, path) ? record_read(path, name) : NULL;
}

struct record *record_of_text(const char *text, const char *label)
{
    char why[RECORD_WHY_SIZE];
    struct record *record = parse(text, label, why);
    if (!record)
        fprintf(stderr, "apodkit: the JSON of the run %s: %s\n", label, why);
    return record;
}

struct record *record_of_run(const struct run_data *run, const char *label)
{
    char *text = json_of_run(run, NULL);
    struct record *record = text ? record_of_text(text, label) : NULL;
    if (!text)
        fprintf(stderr, "apodkit: the host has no memory for the JSON of the run %s\n", label);
    free(text);
    return record;
}
