// Values of records of GPUs, which are tables of comma-separated values in docs/runs/.
#ifndef RECORDED_H
#define RECORDED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suites.h"

// The GPUs of which tests/micro was recorded, in docs/runs/micro-NAME.csv.
static const char *const recorded_gpus[] = {"h200", "h100"};
enum { RECORDED_GPUS = sizeof recorded_gpus / sizeof *recorded_gpus };

// The value in the row that begins with that.
static inline double value_in(const char *path, const char *name)
{
    char line[128];
    FILE *record = fopen(path, "r");
    size_t length = strlen(name);
    ck_assert_msg(record != NULL, "%s is read from the root of the sources", path);
    while (fgets(line, sizeof line, record))
        if (strncmp(line, name, length) == 0 && line[length] == ',') {
            fclose(record);
            return strtod(line + length + 1, NULL);
        }
    fclose(record);
    ck_abort_msg("%s has no %s", path, name);
}

// Of that name in the record of the GPU's microbenchmarks.
static inline double recorded(const char *gpu, const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "docs/runs/micro-%s.csv", gpu);
    return value_in(path, name);
}

#endif
